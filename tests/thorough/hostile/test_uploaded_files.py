"""Files that nobody should send to a form: they are listed line by line, or refused as a whole."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.annotation import cast
from tests.annotation.views.pages import page
from tests.generation import hostile

pytestmark = pytest.mark.django_db
FORMS = {
    "add_known_pairs": (b"sentence1\tsentence2\tlabel\n", "a.tsv", {}),
    "add_qualification_lines": (b"", "a.jsonl", {}),
    "add_guest": (b"pair\tlabel\n", "a.tsv", {"name": "G"}),
}


@pytest.fixture
def project(db):
    return cast.study()


@pytest.fixture
def send(project):
    client = Client(raise_request_exception=False)
    client.force_login(cast.person(project, role="manager").user)

    def send(route, data):
        _, name, fields = FORMS[route]
        return client.post(page(route, project), fields | {"file": SimpleUploadedFile(name, data)})

    return send


@pytest.mark.parametrize("route", FORMS)
@pytest.mark.parametrize("kind", hostile.FILES)
def test_no_file_brings_a_form_down(send, route, kind):
    lines = hostile.FILES[kind]()
    small = hostile.ended([line for line in lines if len(line.data) < 5_000])
    whole = [line.data for line in lines if line.text is None][:60:7]
    header, *_ = FORMS[route]
    for data in (small, header + small, *whole, b"\x00" * 1_000, b""):
        assert send(route, data).status_code in {200, 302, 422}, data[:60]


@pytest.mark.parametrize("route", FORMS)
def test_a_file_that_is_too_large_is_refused_in_words(send, route):
    reply = send(route, b"x\n" * 10_500_000)
    assert reply.status_code in {200, 422}
    assert "too large" in reply.text


def test_lines_that_only_look_odd_are_kept_to_the_byte(send, project):
    texts = [line.text for line in hostile.txt() if line.text is not None][: len(hostile.GOOD)]
    lines = [f"{text}\tAn answer to {n}.\t1" for n, text in enumerate(texts)]
    send("add_known_pairs", "\n".join(["sentence1\tsentence2\tlabel", *lines]).encode())
    kept = project.pairs.values_list("sentence1__text", flat=True)
    assert {text.encode() for text in kept} == {text.encode() for text in texts}
