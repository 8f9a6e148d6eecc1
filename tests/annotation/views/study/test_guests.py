"""The page of guests: for managers and researchers, never for annotators."""

import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.guest_lines import GuestLine
from annotation.models import Guest, GuestJudgment, Membership
from annotation.selectors import guests as selector
from annotation.services import guests
from tests.annotation import cast, judged

Role = Membership.Role
VOTES = [[1, 1, 1, 1, 1], [0, 0, 0, 0, 1], [0, 0, 0, 1, 1]]


@pytest.fixture
def pairs(project):
    return judged.pairs(project, VOTES, by=judged.people(project, 5))


def signed_in(membership):
    client = Client()
    client.force_login(membership.user)
    return client


@pytest.fixture
def client(project):
    return signed_in(cast.person(project, role=Role.MANAGER))


@pytest.fixture
def address(project):
    return reverse("guests", args=[project.public_id])


def sent(text, **more):
    return {"name": "Model", "file": SimpleUploadedFile("labels.tsv", text.encode()), **more}


def say(project, pairs, labels, name="Model"):
    lines = [GuestLine(1, pair.public_id, label) for pair, label in zip(pairs, labels, strict=True)]
    guests.add(project, name=name, lines=lines)
    return Guest.objects.get(project=project, name=name)


def test_annotators_and_strangers_find_nothing(project, address):
    for person in (cast.person(project), cast.person(cast.study(), role=Role.MANAGER)):
        assert signed_in(person).get(address).status_code == 404
    assert Client().get(address).url.startswith("/accounts/login/")


def test_researchers_look_and_bring_nothing(project, address, pairs):
    say(project, pairs, [1, 1, 0])
    client = signed_in(cast.person(project, role=Role.RESEARCHER))
    reply = client.get(address)
    assert "Model" in reply.text
    assert "Bring a guest" not in reply.text
    for name in ("add_guest", "remove_guest"):
        assert client.post(reverse(name, args=[project.public_id])).status_code == 404


def test_without_any_the_page_says_what_they_are_for(client, address):
    assert "No model has been here yet." in client.get(address).text


def test_labels_are_added_and_shown(client, address, project, pairs):
    text = "pair\tlabel\tscore\n" + "".join(
        f"{pair.public_id}\t{label}\t0.5\n" for pair, label in zip(pairs, [1, 1, 0], strict=True)
    )
    reply = client.post(reverse("add_guest", args=[project.public_id]), sent(text), follow=True)
    assert "3 labels were added." in reply.text
    assert "66.7" in reply.text
    [line] = reply.context["lines"]
    assert (line.pair, line.votes) == (pairs[1], "4:1")
    assert Guest.objects.get().added_by is not None


def test_refused_lines_are_listed_with_their_reasons(client, project, pairs):
    text = f"pair\tlabel\n{pairs[0].public_id}\t1\nnobody\t1\n{pairs[1].public_id}\t9\n"
    reply = client.post(reverse("add_guest", args=[project.public_id]), sent(text))
    assert reply.status_code == 422
    assert [line for line, _ in reply.context["form"].refusals()] == [3, 4]
    assert GuestJudgment.objects.count() == 1


@pytest.mark.parametrize("text", ["one\ttwo\n", "\0"])
def test_a_file_that_is_none_is_refused_in_words(client, project, text):
    reply = client.post(reverse("add_guest", args=[project.public_id]), sent(text))
    assert reply.status_code == 422
    assert reply.context["form"].errors


def test_one_of_several_guests_is_looked_at(client, address, project, pairs):
    one = say(project, pairs, [0, 0, 0], name="One")
    say(project, pairs, [1, 1, 0], name="Two")
    assert client.get(address).context["guest"].name == "Two"
    reply = client.get(address, {"guest": one.public_id})
    assert [line.pair for line in reply.context["lines"]] == [pairs[0]]
    assert client.get(address, {"guest": "nonsense"}).status_code == 404


def parted(client, project, **asked):
    reply = client.get(reverse("table", args=[project.public_id, "guest-parting"]), asked)
    text = b"".join(reply).decode().removeprefix("\ufeff")
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_all_pairs_that_part_are_a_file_in_the_order_of_the_page(
    client, address, project, pairs, monkeypatch
):
    monkeypatch.setattr(selector, "PAGE", 2)
    one = say(project, pairs, [0, 1, 1], name="=One")
    say(project, pairs, [1, 0, 0], name="Two")
    shown = client.get(address, {"guest": one.public_id})
    assert f"guest-parting.csv?guest={one.public_id}" in shown.text
    rows = parted(client, project, guest=one.public_id)
    assert [row["id"] for row in rows] == [str(pair.public_id) for pair in pairs]
    assert [line.pair for line in shown.context["lines"]] == pairs[:2]
    assert rows[1] == {
        "guest": "'=One",
        "revision": "",
        "id": str(pairs[1].public_id),
        "method": "back_translation",
        "sentence1": pairs[1].sentence1.text,
        "sentence2": pairs[1].sentence2.text,
        "label": "0",
        "votes": "4 1",
        "guest_label": "1",
        "score": "",
    }


def test_without_a_name_the_file_is_the_latest_guest_s(client, project, pairs):
    assert parted(client, project) == []
    say(project, pairs, [0, 1, 1], name="One")
    say(project, pairs, [1, 1, 0], name="Two")
    assert [(row["guest"], row["id"]) for row in parted(client, project)] == [
        ("Two", str(pairs[1].public_id))
    ]


def test_the_file_takes_the_same_statements_however_many_pairs_part(
    client, project, pairs, django_assert_num_queries
):
    address = reverse("table", args=[project.public_id, "guest-parting"])
    say(project, pairs[:1], [0])
    with django_assert_num_queries(7) as few:
        b"".join(client.get(address))
    say(project, pairs, [0, 1, 1])
    with django_assert_num_queries(len(few)):
        assert len(b"".join(client.get(address)).splitlines()) == 4


def test_a_guest_is_sent_away(client, address, project, pairs):
    guest = say(project, pairs, [1, 0, 0])
    client.post(reverse("remove_guest", args=[project.public_id]), {"guest": guest.public_id})
    assert not Guest.objects.exists()


def test_a_guest_of_another_project_is_not(client, project, pairs):
    other = cast.study()
    cast.pairs(other, 1)
    guest = say(other, [other.pairs.get()], [1])
    address = reverse("remove_guest", args=[project.public_id])
    assert client.post(address, {"guest": guest.public_id}).status_code == 404
    assert Guest.objects.exists()
