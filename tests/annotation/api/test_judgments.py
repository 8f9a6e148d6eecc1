"""Judgments over REST: every answer once, whatever became of it, and nobody by name."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from annotation.models import Judgment, Membership, Project, SentencePair
from annotation.selectors import long_tables, pseudonyms
from annotation.services import interventions, rounds
from tests.annotation import cast
from tests.annotation.api.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(project: Project) -> str:
    return f"/api/projects/{project.public_id}/judgments/"


def rows(client: APIClient, address: str | None, **query: Any) -> Iterator[dict[str, Any]]:
    """Of all pages."""
    while address:
        page = client.get(address, query).json()
        query = {}
        yield from page["results"]
        address = page["next"]


def test_an_answer_is_a_row(project: Project, researcher: APIClient, address: str) -> None:
    slot = Judgment.objects.order_by("pair", "slot").select_related("pair")[0]
    assert slot.annotator_id is not None

    row = next(rows(researcher, address))

    assert row.pop("submitted_at")
    assert row == {
        "pair": str(slot.pair.public_id),
        "slot": 1,
        "round": 1,
        "annotator": pseudonyms.within(project, slot.annotator_id),
        "label": slot.label,
        "seconds": slot.seconds,
        "highlighted": None,
        "held_out": False,
        "superseded": False,
        "simulated": False,
    }


def test_slots_without_answer_and_hidden_pairs_are_no_rows(
    project: Project, researcher: APIClient, address: str
) -> None:
    cast.pairs(project, 1)
    [hidden] = cast.known_pairs(project, [1])
    Judgment.objects.filter(pair=hidden, slot=1).update(
        annotator=cast.person(project).user, label=1
    )

    assert len(list(rows(researcher, address))) == 6


def test_pages_hold_every_answer_once_pair_by_pair(researcher: APIClient, address: str) -> None:
    found = [(row["pair"], row["slot"]) for row in rows(researcher, address, limit=2)]

    pairs = SentencePair.objects.order_by("pk").values_list("public_id", flat=True)
    assert found == [(str(pair), slot) for pair in pairs for slot in (1, 2, 3)]


@pytest.mark.parametrize("after", ["7", "{pair}", "{pair}.9", "{pair}.x", "{pair}.1.1", ".1"])
def test_a_page_begins_after_an_answer_that_there_is(
    after: str, researcher: APIClient, address: str
) -> None:
    pair = SentencePair.objects.earliest("pk").public_id

    reply = researcher.get(address, {"after": after.format(pair=pair)})

    assert reply.status_code == 400
    assert [error["attr"] for error in reply.json()["errors"]] == ["after"]


@pytest.mark.parametrize(
    ("query", "number"),
    [
        ({"label": 0}, 2),
        ({"label": 1}, 4),
        ({"method": "back_translation"}, 6),
        ({"method": "word_swap"}, 0),
        ({"held_out": "true"}, 0),
        ({"superseded": "false"}, 6),
        ({"simulated": "True"}, 0),
        ({"submitted_from": "2001-01-01T00:00:00Z", "label": 1}, 4),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, 0),
    ],
)
def test_answers_can_be_chosen(
    query: dict[str, Any], number: int, researcher: APIClient, address: str
) -> None:
    assert len(list(rows(researcher, address, **query))) == number


def test_what_was_held_out_says_so(project: Project, researcher: APIClient, address: str) -> None:
    member = project.memberships.earliest("pk")
    interventions.hold_out(member, by=None, reason="At random")

    out = list(rows(researcher, address, held_out="true"))

    assert len(out) == 2
    assert {row["annotator"] for row in out} == {pseudonyms.within(project, member.user_id)}
    assert {row["held_out"] for row in out} == {True}
    assert len(list(rows(researcher, address))) == 6


def test_a_second_round_is_told_from_the_first(
    project: Project, researcher: APIClient, address: str
) -> None:
    pair = SentencePair.objects.earliest("pk")
    manager = cast.person(project, role=Membership.Role.MANAGER)
    rounds.reopen(project, [pair.public_id], by=manager.user)
    cast.judge_all(cast.person(project), 1)

    told = {
        (row["slot"], row["round"], row["superseded"])
        for row in rows(researcher, address)
        if row["pair"] == str(pair.public_id)
    }

    assert told == {(1, 1, True), (2, 1, True), (3, 1, True), (4, 2, False)}


def test_a_page_costs_two_statements_however_long_it_is_and_one_more_to_go_on(
    researcher: APIClient, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        first = researcher.get(address, {"limit": 1}).json()
    with django_assert_num_queries(2):
        researcher.get(address, {"limit": 1000})
    with django_assert_num_queries(3):
        researcher.get(first["next"])


@pytest.mark.parametrize(
    ("table", "order"),
    [
        ("pairs", ("pk",)),
        ("judgments", ("place", "slot")),
        ("corrections", ("candidate_id",)),
    ],
)
def test_a_page_is_read_in_order_from_its_place(
    table: str, order: tuple[str, ...], project: Project
) -> None:
    found = getattr(long_tables, table)(project).filter(**{f"{order[0]}__gte": 7})

    if connection.vendor == "postgresql":  # whose tables are so short here that it would sort them
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
    plan = found.order_by(*order)[:100].explain()

    assert "FOR ORDER BY" not in plan
    # At most the few answers of each pair are put in order.
    assert plan.count("Sort Key: annotation") == plan.count("Presorted Key: annotation")


def test_people_stay_in_the_dark(project: Project, address: str) -> None:
    annotator = project.memberships.earliest("pk")
    assert client_of(annotator.user).get(address).status_code == 404
    assert client_of(cast.person(cast.study()).user).get(address).status_code == 404
    assert client_of(None).get(address).status_code == 401
