"""The people of a study: who is listed, and in which order."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Intervention, Membership
from tests.annotation import cast, judged


@pytest.fixture
def manager(project) -> Client:
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return client


@pytest.fixture
def annotators(manager, project):
    page = reverse("annotators", args=[project.public_id])
    return lambda **query: manager.get(page, query)


@pytest.fixture
def judges(project) -> list[Membership]:
    """The first is alone on three of four pairs; the last judged one pair fewer."""
    people = judged.people(project, 5)
    judged.pairs(project, [[1, 0, 0, 0, 0]] * 3, by=people)
    judged.pairs(project, [[0, 0, 0, 0]], by=people)
    return people


def listed(reply) -> list[Membership]:
    return [line.person.membership for line in reply.context["lines"]]


def test_everybody_with_answers_is_listed_and_nobody_else(annotators, project, judges):
    cast.person(project)
    assert set(listed(annotators())) == set(judges)


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("name", [0, 1, 2, 3, 4]),
        ("judgments", [4, 0, 1, 2, 3]),
        ("seconds", [0, 1, 2, 3, 4]),
        ("agreement", [0, 1, 2, 3, 4]),
        ("last_seen", [0, 1, 2, 4, 3]),
    ],
)
def test_columns_sort_upwards_and_downwards(annotators, judges, order, expected):
    up = listed(annotators(order=order))
    assert up[0] == judges[expected[0]]
    down = listed(annotators(order=order, down="1"))
    assert down[-1] == up[0]
    assert set(down) == set(up)


def test_what_is_unknown_comes_last_in_either_direction(annotators, project, judges):
    newcomer = cast.person(project)
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(newcomer)
    for query in ({}, {"down": "1"}):
        assert listed(annotators(order="agreement", **query))[-1] == newcomer


@pytest.mark.parametrize("state", ["flagged", "paused", "held_out"])
def test_those_in_a_state_are_listed(annotators, judges, state):
    kinds = {"flagged": "flag", "paused": "pause", "held_out": "hold_out"}
    Intervention.objects.create(membership=judges[1], kind=kinds[state], reason="Too fast.")
    if state == "paused":
        Membership.objects.filter(pk=judges[1].pk).update(paused_at=timezone.now())
    reply = annotators(state=state)
    assert listed(reply) == [judges[1]]
    assert reply.context["lines"][0].person.user.get_username() in reply.text


def test_a_flag_is_given_with_its_reason(annotators, judges):
    Intervention.objects.create(membership=judges[0], kind="flag", reason="Five in a row & more.")
    assert "Five in a row &amp; more." in annotators().text


def test_the_heading_says_how_the_column_is_sorted(annotators, judges):
    reply = annotators(order="judgments")
    assert reply.text.count("aria-sort") == 1
    [heading] = [each for each in reply.context["headings"] if each.sorted]
    assert (heading.key, heading.sorted, heading.address) == (
        "judgments",
        "ascending",
        "?order=judgments&down=1",
    )


@pytest.mark.parametrize("query", [{"order": "password"}, {"state": "admin"}])
def test_what_cannot_be_asked_for_is_no_list(annotators, query):
    assert annotators(**query).status_code == 400


def test_statements_do_not_grow_with_people(annotators, project, judges, django_assert_num_queries):
    annotators()
    with django_assert_num_queries(9):
        annotators()
    judged.pairs(project, [[1] * 5] * 20, by=judged.people(project, 30))
    with django_assert_num_queries(9):
        annotators()


def test_before_anybody_has_answered_managers_are_led_to_the_people(annotators, project):
    people = f'<a href="{reverse("people", args=[project.public_id])}">People and invitations</a>'
    text = annotators().text
    assert "Nobody has answered anything yet." in text
    assert people in text
    flagged = annotators(state="flagged").text
    assert "Nobody is in this list." in flagged
    assert people not in flagged
