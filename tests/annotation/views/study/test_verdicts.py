"""Managers ask others anew about pairs on which too few people agree, or say what they are."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Adjudication, Consensus, Membership, Reopening
from annotation.services import rounds
from tests.annotation import cast, judged

DISPUTED, KEPT = [1, 1, 1, 0, 0], [1, 1, 1, 1, 1]


@pytest.fixture
def manager(project) -> Membership:
    return cast.person(project, role=Membership.Role.MANAGER)


@pytest.fixture
def client(manager) -> Client:
    client = Client()
    client.force_login(manager.user)
    return client


@pytest.fixture
def pairs(project):
    """Two on which too few agree, and one that is kept."""
    people = judged.people(project, 5)
    return judged.pairs(project, [DISPUTED, DISPUTED, KEPT], by=people)


def page(project, query="?state=not_kept"):
    return reverse("reopen_pairs", args=[project.public_id]) + query


def pair_page(pair, name="pair"):
    return reverse(name, args=[pair.project.public_id, pair.public_id])


def test_the_table_of_pairs_that_are_not_kept_leads_to_asking_anew(client, project, pairs):
    table = reverse("pairs", args=[project.public_id])
    assert page(project) in client.get(table, {"state": "not_kept"}).text
    assert "reopen" not in client.get(table, {"state": "kept"}).text


def test_the_page_says_how_many_pairs_and_answers_that_is(client, project, pairs):
    reply = client.get(page(project))
    assert (reply.context["number"], reply.context["answers"]) == (2, 10)
    assert "2 pairs on which too few people agree" in reply.text
    assert not Reopening.objects.exists()


def test_what_was_shown_is_asked_anew(client, project, pairs, manager):
    reply = client.post(page(project), {"number": 2}, follow=True)
    assert "2 pairs are asked of others anew." in reply.text
    assert {each.pair for each in Reopening.objects.all()} == set(pairs[:2])
    assert {each.by for each in Reopening.objects.all()} == {manager.user}


def test_one_pair_alone_is_asked_anew(client, project, pairs):
    client.post(page(project, f"?words={pairs[0].public_id}"), {"number": 1})
    assert Reopening.objects.get().pair == pairs[0]


@pytest.mark.parametrize("number", ["1", "3", "", "many"])
def test_other_pairs_than_were_shown_are_shown_first(client, project, pairs, number):
    reply = client.post(page(project), {"number": number})
    assert reply.status_code == 409
    assert reply.context["number"] == 2
    assert not Reopening.objects.exists()


def test_a_filter_that_there_is_not_is_no_page(client, project, pairs):
    assert client.get(page(project, "?state=odd")).status_code == 404


def test_hidden_and_kept_pairs_are_never_among_them(client, project, pairs):
    cast.known_pairs(project, [1])
    assert client.get(page(project, "")).context["number"] == 2
    assert client.get(page(project, "?hidden=on")).context["number"] == 0


def test_a_manager_says_what_a_pair_is(client, pairs, manager):
    words = {"label": "0", "note": "Not the same <b>town</b>."}
    reply = client.post(pair_page(pairs[0], "adjudicate"), words, follow=True)
    said = Adjudication.objects.get()
    assert (said.pair, said.by, said.label) == (pairs[0], manager.user, 0)
    assert "Not the same &lt;b&gt;town" in reply.text
    assert Consensus.objects.get(pair=pairs[0]).label == 1


def test_a_manager_who_cannot_tell_says_so(client, pairs):
    client.post(pair_page(pairs[0], "adjudicate"), {"label": "open"})
    assert Adjudication.objects.get().label is None


@pytest.mark.parametrize("answer", [{}, {"label": "2"}, {"label": "1", "note": "x" * 501}])
def test_what_is_no_answer_is_not_put_on_record(client, pairs, answer):
    reply = client.post(pair_page(pairs[0], "adjudicate"), answer, follow=True)
    assert "messages" in reply.text
    assert not Adjudication.objects.exists()


def test_a_pair_that_is_kept_is_not_adjudicated(client, pairs):
    assert "adjudicate" not in client.get(pair_page(pairs[2])).text
    client.post(pair_page(pairs[2], "adjudicate"), {"label": "0"})
    assert not Adjudication.objects.exists()


def test_a_pair_shows_its_rounds(client, project, pairs, manager):
    rounds.reopen(project, [pairs[0].public_id], by=manager.user)
    reply = client.get(pair_page(pairs[0]))
    first, second = reply.context["rounds"]
    assert (first.number, first.tally, first.ended_by) == (1, [2, 3], manager.user)
    assert (second.number, second.tally, second.answers) == (2, None, [])
    assert "of an earlier round" in reply.text


@pytest.mark.parametrize("role", [Membership.Role.ANNOTATOR, Membership.Role.RESEARCHER])
def test_nobody_else_does_either(project, pairs, role):
    other = Client()
    other.force_login(cast.person(project, role=role).user)
    assert other.get(page(project)).status_code == 404
    assert other.post(page(project), {"number": 2}).status_code == 404
    reply = other.post(pair_page(pairs[0], "adjudicate"), {"label": "0"})
    assert reply.status_code == 404
    assert not Reopening.objects.exists()
    assert not Adjudication.objects.exists()


def test_researchers_see_what_came_of_a_pair_and_no_buttons(project, pairs, manager):
    Adjudication.objects.create(pair=pairs[0], by=manager.user, label=1)
    other = Client()
    other.force_login(cast.person(project, role=Membership.Role.RESEARCHER).user)
    text = other.get(pair_page(pairs[0])).text
    assert "What an expert says" in text
    assert "adjudicate" not in text
    assert page(project, "") not in text
