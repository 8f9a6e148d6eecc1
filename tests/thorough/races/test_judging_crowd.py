"""Many processes that judge a study at once while managers step in, on both engines."""

import random
import re
from contextlib import contextmanager, nullcontext
from functools import partial
from unittest import mock

import pytest
from django.db import connection
from django.db.models.functions import Coalesce

from annotation.agreement import services as agreement
from annotation.errors import NotHeld
from annotation.models import Judgment, Project, Slot
from annotation.work import answers, judge_postgres, queue
from tests.annotation import invariants, make
from tests.annotation.small_study import reread, study
from tests.thorough.races.at_once import at_once, outcome

WHOLE = {"broken": [], "twice": 0, "lost": 0, "met": []}


def judge(*, people, pairs, tabs=1, accounts=1, reopens=False, guarded=True, **settings):
    """People judge all pairs, each in several tabs and with several accounts."""
    project, members = study(pairs, people, **settings)
    for first in range(0, people, accounts):
        make.same_person(*members[first : first + accounts])
    if not guarded:
        drop_constraints()
    work = [partial(judge_all, member, guarded) for member in members for _ in range(tabs)]
    if reopens:
        work.append(partial(reopen_disputed, project.pk))
    accepted, met = at_once(work)
    stored = Judgment.objects.filter(submitted_at__isnull=False)
    answered = list(stored.values_list("item", Coalesce("annotator__main_account", "annotator")))
    given = set(stored.values_list("annotator", "item__public_id"))
    return {
        "broken": invariants.broken(project),
        "twice": len(answered) - len(set(answered)),
        "lost": len(set().union(*accepted) - given),
        "met": met,
        "open": Judgment.objects.filter(submitted_at=None).count(),
    }


def judge_all(member, guarded):
    """Answer what is given, mostly alike, and in all tabs alike; returns what was accepted."""
    member, accepted = reread(member), []
    with nullcontext() if guarded else unguarded():
        turn = make.turn(member)
        while turn.shown:
            answered = (member.user_id, turn.shown.id)
            label = int(random.Random(str(answered)).random() < 0.8)
            turn = make.turn(member, item=turn.shown.id, label=label)
            # Refused where enough agreed before, or the slot is no longer needed.
            assert turn.refusal is None or isinstance(turn.refusal, NotHeld)
            if turn.refusal is None:
                accepted.append(answered)
    return accepted


def reopen_disputed(key):
    project = Project.objects.get(pk=key)
    by = project.memberships.earliest("pk").user
    pairs = list(project.pairs.values_list("public_id", flat=True))
    for _ in range(30):
        agreement.reopen(project, pairs, by=by)
    return []


def drop_constraints():
    """SQLite rebuilds the table for it, which a trigger that speaks of the table would prevent."""
    on_table = " ON annotation_slot" if connection.vendor == "postgresql" else ""
    with connection.schema_editor() as editor:
        for event in ("insert", "update"):
            editor.execute(f"DROP TRIGGER slot_claim_{event}{on_table}")
        if connection.vendor == "sqlite":
            editor.execute("DROP TRIGGER consensus_unfinished")
        for constraint in Slot._meta.constraints:
            if re.match(
                "slot_(once_by_annotator|in_progress_one_at_a_time|once_by_person)$",
                constraint.name,
            ):
                editor.remove_constraint(Slot, constraint)


@contextmanager
def unguarded():
    """Turns without locks on Postgres, without a transaction on SQLite."""
    statement = judge_postgres.statement

    def bare(*left_out):
        return re.sub(r"FOR UPDATE( OF \w+)?( SKIP LOCKED)?", "", statement(*left_out))

    in_postgres = mock.patch.object(judge_postgres, "statement", bare)
    submitting = mock.patch.object(answers, "submit", answers.submit.__wrapped__)
    claiming = mock.patch.object(queue, "transaction", mock.Mock(atomic=nullcontext))
    with in_postgres, submitting, claiming:
        yield


@pytest.mark.parametrize(
    "crowd",
    [{"people": 16}, {"people": 6, "tabs": 2}, {"accounts": 2}, {"decides_early": True}],
    ids=["people", "tabs", "accounts", "early"],
)
def test_each_pair_is_judged_to_its_end_and_by_no_one_twice(installation, crowd):
    crowd = {"people": 12, "pairs": 40} | crowd
    assert outcome(installation, judge, **crowd) == WHOLE | {"open": 0}


def test_no_answer_is_lost_or_counted_wrongly_while_disputed_pairs_are_reopened(installation):
    found = outcome(installation, judge, people=12, pairs=30, decides_early=True, reopens=True)
    assert found == WHOLE | {"open": found["open"]}


def test_control_without_constraints_and_guard_people_judge_a_pair_twice(installation):
    found = outcome(installation, judge, people=12, pairs=60, accounts=2, guarded=False)
    assert found != WHOLE | {"open": 0}
