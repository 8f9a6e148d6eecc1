"""How large a body may be, from whom, and how many at a time; checked before it is read."""

import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client

from annotation.glossary.views import MOST_BYTES
from annotation.imports.kinds import KINDS, LARGEST_FILE
from common import bodies
from common.bodies import LONG_TEXTS, REST_OF_FORM, SMALL
from common.forms import MAX_PROSE
from config import gunicorn
from tests.annotation import make
from tests.annotation.pages import client_of, page, signed_in

pytestmark = pytest.mark.django_db
LARGEST = LARGEST_FILE + REST_OF_FORM


@pytest.fixture
def project():
    return make.study()


class Body:
    """Whether a body was read; none of it comes."""

    was_read = False

    def read(self, *_):
        self.was_read = True
        return b""

    readline = read


def sent(client, address, size, *, body=None):
    """The reply to a form that says it has so many bytes."""
    form = {"CONTENT_LENGTH": str(size), "CONTENT_TYPE": "multipart/form-data; boundary=x"}
    return client.generic("POST", address, **form, **{"wsgi.input": body or Body()})


def status_of(client, address, size):
    """The status of the reply; of large bodies, only those that the view got were read."""
    body = Body()
    reply = sent(client, address, size, body=body)
    assert body.was_read == (size <= SMALL or reply.status_code == 422)
    return reply.status_code


def test_only_managers_of_the_project_send_files_beyond_the_usual_size(project):
    upload, elsewhere = page("upload", project), client_of(make.study())
    for client, small, large in (
        (client_of(project), 422, 422),
        (client_of(project, "researcher"), 404, 404),
        (client_of(project, "annotator"), 404, 404),
        (elsewhere, 404, 404),
        (Client(), 302, 413),
    ):
        assert status_of(client, upload, SMALL) == small
        assert status_of(client, upload, LARGEST) == large
        assert status_of(client, upload, LARGEST + 1) == 413
        assert status_of(client, page("add_corpus", project), SMALL + 1) == 413
        assert status_of(client, "/nowhere/", SMALL + 1) == 413


def test_long_texts_are_taken_where_they_are_written(project):
    settings_page, manager = page("work_settings", project), client_of(project)
    assert status_of(manager, settings_page, LONG_TEXTS) == 422
    assert status_of(manager, settings_page, LONG_TEXTS + 1) == 413
    assert status_of(client_of(project, "annotator"), settings_page, LONG_TEXTS) == 404


def test_no_error_page_reads_a_large_body(project):
    for address in (page("upload", project), "/nowhere/", "/accounts/login/"):
        for host in ("testserver", "another.example"):
            client = Client(headers={"host": host}, enforce_csrf_checks=True)
            client.force_login(make.person(make.study()).user)
            client.cookies[settings.CSRF_COOKIE_NAME] = "x" * 32  # the token is looked for
            assert 400 <= status_of(client, address, LONG_TEXTS) <= 413


def test_a_second_large_body_of_a_person_waits_for_the_first(project):
    mia = make.person(project, role="manager")
    upload = page("upload", project)
    with bodies.large_body_of(mia.user.pk):
        reply = sent(signed_in(mia.user), upload, LARGEST)
        assert (reply.status_code, reply["Retry-After"]) == (429, "30")
        assert "you are sending another file" in reply.text
        assert status_of(client_of(project), upload, LARGEST) == 422
    assert status_of(signed_in(mia.user), upload, LARGEST) == 422


def test_large_bodies_of_others_wait_while_as_many_arrive_as_may(project):
    upload, waiting = page("upload", project), client_of(project)
    with bodies.large_body_of(-1), bodies.large_body_of(-2):
        reply = sent(waiting, upload, LARGEST)
        assert (reply.status_code, reply["Retry-After"]) == (503, "30")
        assert "other people are sending files" in reply.text
        assert status_of(waiting, upload, SMALL) == 422
    assert gunicorn.threads - 2 >= bodies.MOST_OPEN


def test_a_file_of_terms_has_two_megabytes(project):
    address = page("upload_terms", make.with_glossary(project))
    file = ContentFile(b"x" * (MOST_BYTES + 1), "terms.csv")
    assert "larger than 2 MB" in client_of(project).post(address, {"file": file}).text


@pytest.mark.parametrize("kind", ["gold_pairs", "qualification"])
def test_pairs_with_a_known_answer_are_few(project, kind):
    file = ContentFile(b"x" * (KINDS[kind].most_bytes + 1), "pairs.csv")
    reply = client_of(project).post(page("upload", project), {"kind": kind, "file": file})
    assert "The file is too large: the maximum is" in reply.text


def test_a_long_text_has_a_hundred_thousand_characters(project):
    sent = {"guidelines": "x" * (MAX_PROSE + 1)}
    reply = client_of(project).post(page("work_settings", project), sent)
    assert "at most 100000 characters" in reply.text


def test_a_pasted_text_that_is_too_long_is_refused_with_the_reason(project):
    text = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE + 1)
    reply = client_of(project).post(page("upload", project), {"kind": "sentences", "text": text})
    assert (reply.status_code, "too long" in reply.text) == (413, True)
