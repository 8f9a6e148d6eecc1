"""Two accounts are marked as one person while one of them is given a pair: two processes, made to
meet each time. One halts until the other is done, or is seen to wait for it."""

from contextlib import ExitStack, nullcontext
from functools import partial
from operator import attrgetter
from unittest import mock

import pytest
from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.models import Judgment
from annotation.models.triggers import TRIGGERS
from annotation.people.services import same_person
from annotation.work import judge_postgres, one_person
from tests.annotation import make
from tests.annotation.small_study import reread, study
from tests.thorough.races.at_once import FORK, Meeting, outcome, run_all


def mark_and_halt(meeting, first, second):
    record = same_person._record

    def halting(*arguments, **options):
        record(*arguments, **options)
        meeting.halt()

    with mock.patch.object(same_person, "_record", halting):
        same_person.mark(first.user, second.user)


def ask_and_halt(meeting, second):
    with transaction.atomic():
        make.turn(second)
        meeting.halt()


def meet(*, halts, guarded=True):
    """The first account has judged the only pair; the other asks for it while they are marked."""
    _, [first, second] = study(pairs=1, people=2)
    make.judge_next(first)
    first, second = reread(first), reread(second)  # as a request reads them, before its turn
    if not guarded:
        drop_triggers()
    meeting = Meeting()
    works = {
        "mark": (partial(mark_and_halt, meeting, first, second), partial(make.turn, second)),
        "turn": (
            partial(ask_and_halt, meeting, second),
            partial(same_person.mark, first.user, second.user),
        ),
    }
    halting, other = works[halts]
    with nullcontext() if guarded else unguarded():
        run_all([FORK.Process(target=halting), FORK.Process(target=meeting.begin, args=(other,))])
    given = Judgment.objects.filter(annotator=second.user_id).exists()
    return {"waits": meeting.waits.value, "given": given}


def drop_triggers():
    with connection.cursor() as cursor:
        for trigger in TRIGGERS:
            if "_claim_" in trigger.name:
                table = f" ON {trigger.table}" if connection.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER {trigger.name}{table}")


def unguarded():
    """Turns and marks that do not hold the accounts, which are as the request has read them."""
    statement = judge_postgres.statement

    def bare(*left_out):
        return statement(*left_out).replace("FOR KEY SHARE", "")

    stack = ExitStack()
    rows = mock.patch.object(QuerySet, "select_for_update", lambda self, **_: self)
    stack.enter_context(rows)
    stack.enter_context(mock.patch.object(judge_postgres, "statement", bare))
    stack.enter_context(mock.patch.object(one_person, "hold_person", attrgetter("person_key")))
    return stack


@pytest.mark.parametrize("halts", ["mark", "turn"])
def test_a_mark_and_a_turn_wait_for_each_other(installation, halts):
    assert outcome(installation, meet, halts=halts) == {"waits": 1, "given": False}


@pytest.mark.parametrize("halts", ["mark", "turn"])
def test_control_without_guard_one_person_has_the_pair_twice(installation, engine, halts):
    if engine == "sqlite":
        pytest.skip("SQLite lets one transaction write at a time, whatever the code does")
    assert outcome(installation, meet, halts=halts, guarded=False)["given"]
