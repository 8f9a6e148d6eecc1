"""Files that nobody should send to a form: they are listed line by line, or refused as a whole."""

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Project
from tests.annotation import cast
from tests.generation import hostile

Form = Callable[[bytes], dict[str, object]]

pytestmark = pytest.mark.django_db
FORMS: dict[str, Form] = {
    "add_known_pairs": lambda data: {"file": SimpleUploadedFile("a.tsv", data)},
    "add_qualification_lines": lambda data: {"file": SimpleUploadedFile("a.jsonl", data)},
    "add_guest": lambda data: {"name": "G", "file": SimpleUploadedFile("a.tsv", data)},
}
HEADERS = {
    "add_known_pairs": b"sentence1\tsentence2\tlabel\n",
    "add_qualification_lines": b"",
    "add_guest": b"pair\tlabel\n",
}


@pytest.fixture
def client(project: Project) -> Client:
    client = Client(raise_request_exception=False)
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def project(db: None) -> Project:
    return cast.study()


def small(lines: list[hostile.Line]) -> bytes:
    """Without those that make a file too large for a form."""
    return hostile.ended([line for line in lines if len(line.data) < 5_000])


@pytest.mark.parametrize("route", FORMS)
@pytest.mark.parametrize("kind", hostile.FILES)
def test_no_file_brings_a_form_down(
    client: Client, project: Project, route: str, kind: str
) -> None:
    address, form = reverse(route, args=[project.public_id]), FORMS[route]
    body = small(hostile.FILES[kind]())
    whole = [line.data for line in hostile.FILES[kind]() if line.text is None][:60:7]

    for data in (body, HEADERS[route] + body, *whole, b"\x00" * 1_000, b""):
        assert client.post(address, form(data)).status_code in {200, 302, 422}


@pytest.mark.parametrize("route", FORMS)
def test_a_file_that_is_too_large_is_refused_in_words(
    client: Client, project: Project, route: str
) -> None:
    data = b"x\n" * 10_500_000

    reply = client.post(reverse(route, args=[project.public_id]), FORMS[route](data))

    assert reply.status_code in {200, 422}
    assert "too large" in reply.text


def test_lines_that_only_look_odd_are_kept_to_the_byte(client: Client, project: Project) -> None:
    good = [line.text for line in hostile.txt() if line.text is not None]
    texts = good[: len(hostile.GOOD)]
    lines = [f"{text}\tAn answer to {n}.\t1" for n, text in enumerate(texts)]
    data = "\n".join(["sentence1\tsentence2\tlabel", *lines]).encode()
    address = reverse("add_qualification_lines", args=[project.public_id])

    client.post(address, {"file": SimpleUploadedFile("a.tsv", data)})

    kept = {
        text.encode() for text in project.qualification_pairs.values_list("sentence1", flat=True)
    }
    assert kept == {text.encode() for text in texts}
