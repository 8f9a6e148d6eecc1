"""Judgments and corrections over REST: every answer once, whatever became of it."""

import pytest
from django.db import connection

from annotation.models import Correction, Judgment
from annotation.selectors import long_tables, pseudonyms
from annotation.services import interventions, rounds
from tests.annotation import cast
from tests.annotation.api.conftest import client_of, rows

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def address(project):
    return f"/api/projects/{project.public_id}/judgments/"


def test_each_answer_is_a_row_and_nothing_else_is(project, researcher, address):
    slot = Judgment.objects.order_by("pair", "slot").select_related("pair")[0]
    cast.pairs(project, 1)
    [hidden] = cast.known_pairs(project, [1])
    given = {"annotator": cast.person(project).user, "label": 1}
    Judgment.objects.filter(pair=hidden, slot=1).update(**given)
    row, *others = rows(researcher, address)
    assert len(others) == 5
    assert row.pop("submitted_at")
    assert row == (
        {"pair": str(slot.pair.public_id), "slot": 1, "round": 1, "label": slot.label}
        | {"annotator": pseudonyms.within(project, slot.annotator_id), "seconds": slot.seconds}
        | {"highlighted": None, "held_out": False, "superseded": False, "simulated": False}
    )


def test_pages_hold_every_answer_once_and_begin_only_after_one(project, researcher, address):
    found = [(row["pair"], row["slot"]) for row in rows(researcher, address, limit=2)]
    pairs = [str(pair.public_id) for pair in project.pairs.order_by("pk")]
    assert found == [(pair, slot) for pair in pairs for slot in (1, 2, 3)]
    for after in ("7", "{}", "{}.9", "{}.x", "{}.1.1", ".1"):
        reply = researcher.get(address, {"after": after.format(pairs[0])})
        assert reply.status_code == 400, after
        assert [error["attr"] for error in reply.json()["errors"]] == ["after"]


def test_answers_can_be_filtered(researcher, address):
    for query, number in (
        ({"label": 0}, 2),
        ({"label": 1}, 4),
        ({"method": "back_translation"}, 6),
        ({"method": "word_swap"}, 0),
        ({"held_out": "true"}, 0),
        ({"superseded": "false"}, 6),
        ({"simulated": "True"}, 0),
        ({"submitted_from": "2001-01-01T00:00:00Z", "label": 1}, 4),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, 0),
    ):
        assert len(list(rows(researcher, address, **query))) == number, query


def test_answers_that_were_set_aside_or_superseded_are_marked(project, researcher, address):
    member, pair = project.memberships.earliest("pk"), project.pairs.earliest("pk")
    rounds.reopen(project, [pair.public_id], by=cast.person(project, role="manager").user)
    cast.judge_all(cast.person(project), 1)
    found = [row for row in rows(researcher, address) if row["pair"] == str(pair.public_id)]
    marks = {(row["slot"], row["round"], row["superseded"]) for row in found}
    assert marks == {(1, 1, True), (2, 1, True), (3, 1, True), (4, 2, False)}
    interventions.hold_out(member, by=None, reason="At random")
    out = list(rows(researcher, address, held_out="true"))
    names = {(row["annotator"], row["held_out"]) for row in out}
    assert names == {(pseudonyms.within(project, member.user_id), True)}
    assert (len(out), len(list(rows(researcher, address)))) == (2, 7)


def test_pages_are_read_in_the_order_of_an_index(project):
    if connection.vendor == "postgresql":  # whose tables are so short here that it would sort them
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
    for table, order in (
        (long_tables.pairs, ("pk",)),
        (long_tables.judgments, ("place", "slot")),
        (long_tables.corrections, ("candidate_id",)),
    ):
        found = table(project).filter(**{f"{order[0]}__gte": 7})
        plan = found.order_by(*order)[:100].explain()
        assert "FOR ORDER BY" not in plan, table
        # At most the few answers of each pair are put in order.
        assert plan.count("Sort Key: annotation") == plan.count("Presorted Key: annotation"), table


def test_corrections_are_listed_from_source_to_final_text():
    study = cast.study()
    cast.candidates(study, [(f"Ada met Bo {n}.", f"Bo met Ada {n}.") for n in range(4)])
    corrector = cast.person(study)
    for action, text in (("fix", "Bo has met Ada 0."), ("accept", ""), ("reject", "")):
        cast.correct_next(corrector, action, text)
    client = client_of(cast.person(study, role="researcher").user)
    address = f"/api/projects/{study.public_id}/corrections/"
    fixed, accepted, rejected = rows(client, address, limit=2)
    made = Correction.objects.select_related("candidate", "pair").get(action="fix")
    assert fixed.pop("submitted_at")
    assert fixed == (
        {"id": str(made.public_id), "candidate": str(made.candidate.public_id)}
        | {"pair": str(made.pair.public_id), "method": "word_swap", "source": "Ada met Bo 0."}
        | {"text": "Bo met Ada 0.", "action": "fix", "final_text": "Bo has met Ada 0."}
        | {"annotator": pseudonyms.within(study, corrector.user_id), "simulated": False}
        | {"seconds": 3.0}
    )
    assert (accepted["source"], accepted["final_text"]) == ("Ada met Bo 1.", "Bo met Ada 1.")
    assert (rejected["final_text"], rejected["pair"]) == (None, None)
    for query, actions in (
        ({"action": "reject"}, ["reject"]),
        ({"method": "back_translation"}, []),
        ({"simulated": "false"}, ["fix", "accept", "reject"]),
        ({"submitted_before": "2001-01-01T00:00:00Z"}, []),
    ):
        assert [row["action"] for row in rows(client, address, **query)] == actions, query
