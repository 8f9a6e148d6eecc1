"""Managers make the set: by hand, by file, and see how it looks."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.forms.qualification import LinesForm
from annotation.known_lines import KnownPair
from annotation.models import Project, QualificationAttempt, QualificationPair, Role
from annotation.services import qualification
from tests.annotation import cast

HEADER = "sentence1\tsentence2\tlabel\texplanation"


@pytest.fixture
def project(db: None) -> Project:
    return cast.study(asks_qualification=True)


@pytest.fixture
def client(project: Project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Role.MANAGER).user)
    return client


def page(name: str, project: Project, *more: object) -> str:
    return reverse(name, args=[project.public_id, *more])


def rows() -> list[tuple[str, str, int, str]]:
    pairs = QualificationPair.objects.all()
    return list(pairs.values_list("sentence1", "sentence2", "label", "explanation"))


def send(client: Client, project: Project, *lines: str, **more: object):
    return client.post(
        page("add_qualification_lines", project), {"lines": "\n".join(lines), **more}, follow=True
    )


def test_a_pair_is_added_by_hand(client, project):
    sent = {"sentence1": "A sees b.", "sentence2": "B sees a.", "label": 0, "explanation": "Swap."}
    reply = client.post(page("add_qualification_pair", project), sent, follow=True)
    assert "1 pair was added." in reply.text
    assert rows() == [("A sees b.", "B sees a.", 0, "Swap.")]


@pytest.mark.parametrize(
    "change",
    [{"sentence1": ""}, {"sentence2": " "}, {"label": "2"}, {"label": ""}, {"sentence1": "a\x07b"}],
)
def test_a_pair_that_cannot_be_is_given_back(client, project, change):
    sent = {"sentence1": "A sees b.", "sentence2": "B sees a.", "label": 0} | change
    reply = client.post(page("add_qualification_pair", project), sent)
    assert reply.status_code == 422
    assert "errorlist" in reply.text
    assert rows() == []


def test_lines_are_added_and_bad_ones_come_back_with_their_reasons(client, project):
    good, wrong, short = "A b.\tB a.\t0\tSwap.", "A c.\tC a.\t7\t", "A d.\tD a."
    reply = send(client, project, HEADER, good, wrong, short)
    assert rows() == [("A b.", "B a.", 0, "Swap.")]
    assert "1 pair was added." in reply.text
    assert "Line 3:" in reply.text
    assert "none of this project’s scale" in reply.text
    assert "Line 4:" in reply.text
    assert "not as many columns" in reply.text
    assert reply.context["lines"]["lines"].value() == f"{HEADER}\n{wrong}\n{short}"


def test_a_file_is_added(client, project):
    content = f"{HEADER}\r\nA b.\tB a.\t1\t\r\n".encode()
    send(client, project, file=SimpleUploadedFile("set.tsv", content))
    assert rows() == [("A b.", "B a.", 1, "")]


def test_a_file_that_is_not_text_says_so(client, project):
    content = f"{HEADER}\n".encode() + b"\xff\xfe\tB\t1\t\nA b.\tB a.\t1\t\n"
    reply = send(client, project, file=SimpleUploadedFile("set.tsv", content))
    assert "is not UTF-8" in reply.text
    assert len(rows()) == 1


def test_without_the_columns_nothing_is_read(client, project):
    reply = send(client, project, "A b.\tB a.\t1")
    assert reply.status_code == 422
    assert "must name the columns" in reply.text
    assert "A b.\tB a.\t1" in reply.context["lines"]["lines"].value()


def test_a_file_too_large_is_refused(client, project, monkeypatch):
    monkeypatch.setattr(LinesForm.base_fields["file"], "most", 10)
    reply = send(client, project, file=SimpleUploadedFile("set.tsv", b"x" * 11))
    assert "too large" in reply.text


def test_sending_the_same_lines_again_adds_nothing(client, project):
    for _ in range(2):
        reply = send(client, project, HEADER, "A b.\tB a.\t0\t")
    assert "was in the set already" in reply.text
    assert len(rows()) == 1


def test_a_pair_is_removed_once(client, project):
    qualification.add(project, [KnownPair("A.", "B.", 1)])
    address = page("remove_qualification_pair", project, QualificationPair.objects.get().public_id)
    for _ in range(2):
        assert client.post(address).status_code == 302
    assert rows() == []


def test_a_pair_of_another_project_stays(client, project):
    other = cast.study()
    qualification.add(other, [KnownPair("A.", "B.", 1)])
    pair = QualificationPair.objects.get().public_id
    client.post(page("remove_qualification_pair", project, pair))
    assert len(rows()) == 1


def test_the_preview_looks_as_it_does_for_newcomers_and_stores_nothing(client, project):
    qualification.add(project, [KnownPair("A.", "B.", 1, "Canarywhy."), KnownPair("C.", "D.", 0)])
    first = client.get(page("preview_qualification", project, 1))
    assert "Preview: nothing is stored." in first.text
    assert "A." in first.text
    assert "Canarywhy" not in first.text
    assert page("preview_qualification", project, 2) in first.text
    assert client.get(page("preview_qualification", project, 3)).status_code == 404
    assert QualificationAttempt.objects.count() == 0


def test_the_set_is_for_managers(project):
    client = Client()
    client.force_login(cast.person(project).user)
    qualification.add(project, [KnownPair("A.", "B.", 1)])
    pair = QualificationPair.objects.get().public_id
    assert client.get(page("preview_qualification", project, 1)).status_code == 404
    assert client.post(page("remove_qualification_pair", project, pair)).status_code == 404
    assert send(client, project, HEADER, "C.\tD.\t1\t").status_code == 404
    assert len(rows()) == 1
