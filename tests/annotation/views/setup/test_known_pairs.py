"""Hidden pairs: seen and added by managers alone, with a reason for every line that is refused."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.forms.known_pairs import KnownPairsForm
from annotation.models import Judgment, Membership, Project, SentencePair
from tests.annotation import cast

Role = Membership.Role
HEADER = "sentence1\tsentence2\tlabel\n"
TSV = HEADER + "Ada saw Bo.\tBo saw Ada.\t0\nIt rained a lot.\tIt rained much.\t1\n"


def signed_in(membership: Membership) -> Client:
    client = Client()
    client.force_login(membership.user)
    return client


@pytest.fixture
def client(project: Project) -> Client:
    return signed_in(cast.person(project, role=Role.MANAGER))


@pytest.fixture
def address(project: Project) -> str:
    return reverse("known_pairs", args=[project.public_id])


@pytest.fixture
def add(project: Project) -> str:
    return reverse("add_known_pairs", args=[project.public_id])


def test_they_are_hidden_from_all_but_managers(project, address, add):
    people = [
        cast.person(project),
        cast.person(project, role=Role.RESEARCHER),
        cast.person(cast.study(), role=Role.MANAGER),
    ]
    for person in people:
        assert signed_in(person).get(address).status_code == 404
        assert signed_in(person).post(add, {"lines": TSV}).status_code == 404
    assert Client().post(add, {"lines": TSV}).url.startswith("/accounts/login/")
    assert not SentencePair.objects.exists()


def test_without_any_the_page_says_what_they_are_for(client, address, add):
    text = client.get(address).text
    assert "There is none yet." in text
    assert "the settings do not say how often" in text
    assert client.get(add).status_code == 405
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("kind", ["file", "pasted", "jsonl"])
def test_pairs_are_added(client, add, address, kind):
    objects = "\n".join(
        json.dumps(dict(zip(TSV.splitlines()[0].split("\t"), line.split("\t"), strict=True)))
        for line in TSV.splitlines()[1:]
    )
    sent = {
        "file": {"file": SimpleUploadedFile("pairs.tsv", TSV.encode())},
        "pasted": {"lines": TSV.replace("\n", "\r\n")},
        "jsonl": {"lines": objects},
    }[kind]
    reply = client.post(add, sent, follow=True)
    assert "2 hidden pairs were added." in reply.text
    assert sorted(SentencePair.objects.values_list("known_label", flat=True)) == [0, 1]
    assert len(client.get(address).context["lines"]) == 2


def test_lines_that_give_no_pair_are_listed_with_their_reasons(client, add):
    lines = TSV + "Only one\nA b.\tB a.\t7\nSame.\tSame.\t1\nAda saw Bo.\tBo saw Ada.\t1\n"
    reply = client.post(add, {"lines": lines})
    assert reply.status_code == 422
    assert "4 lines were not added:" in reply.text
    assert [(line, str(reason)) for line, reason in reply.context["form"].refusals()] == [
        (4, "It has not as many columns as the first line."),
        (5, "The answer is none of this project’s scale."),
        (6, "Both sentences are the same."),
        (7, "The pair is there already, with another answer."),
    ]
    assert SentencePair.objects.count() == 2


@pytest.mark.parametrize("lines", ["", "one\ttwo\nA\tB\n", "\0"])
def test_a_file_that_is_none_is_refused_in_words(client, add, lines):
    reply = client.post(add, {"lines": lines})
    assert reply.status_code == 422
    assert reply.context["form"].errors
    assert not SentencePair.objects.exists()


def test_the_name_of_a_file_tells_its_format(client, add):
    lines = b'[]\n{"sentence1": "A b.", "sentence2": "B a.", "label": 0}\n'
    reply = client.post(add, {"file": SimpleUploadedFile("pairs.jsonl", lines)})
    assert [line for line, _ in reply.context["form"].refusals()] == [1]
    assert SentencePair.objects.count() == 1


def test_a_file_too_large_is_for_the_command(client, add, monkeypatch):
    monkeypatch.setattr(KnownPairsForm.base_fields["file"], "most", 10)
    reply = client.post(add, {"file": SimpleUploadedFile("pairs.tsv", TSV.encode())})
    assert reply.status_code == 422
    assert "use manage.py import_known_pairs" in reply.text


def test_pairs_that_are_there_are_not_added_twice(client, add):
    client.post(add, {"lines": TSV})
    assert "2 pairs were there already." in client.post(add, {"lines": TSV}, follow=True).text
    assert SentencePair.objects.count() == 2


def test_the_table_shows_how_people_did(client, add, address, project):
    client.post(add, {"lines": TSV})
    pair = SentencePair.objects.get(known_label=0)
    for label in (1, 1, 0):
        person = cast.person(project)
        Judgment.objects.create(
            project=project,
            pair=pair,
            slot=Judgment.objects.filter(pair=pair).count() + 1,
            annotator=person.user,
            label=label,
            seconds=3,
        )
    known = client.get(address).context["lines"][0].known
    assert (known.pair, known.given, known.right) == (pair, 3, 1)
