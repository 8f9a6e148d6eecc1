"""An answer comes in the middle of a manager's step: two processes, made to meet there each time.

The step halts until the answer is stored, or is seen to wait for the step.
"""

import time
from contextlib import ExitStack, nullcontext
from itertools import count
from unittest import mock

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

from annotation.errors import NotHeld
from annotation.models import Judgment
from annotation.services import interventions, judgments, recounting
from annotation.services.turns import postgres
from tests.annotation import cast
from tests.annotation.services import invariants
from tests.annotation.services.small_study import judge, reread, study
from tests.thorough.races.at_once import FORK, LONG, outcome, run_all
from tests.thorough.races.test_judging_crowd import unguarded

WAITED_FOR = """
SELECT EXISTS (SELECT FROM pg_locks
WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"""
UNDISTURBED = {"waits": 1, "said": "stored", "kept": True, "broken": []}


class Meeting:
    """What the process that answers and the one that takes the step tell each other."""

    def __init__(self):
        self.coming, self.halted = FORK.Semaphore(0), FORK.Semaphore(0)
        self.answered, self.said = FORK.Event(), FORK.SimpleQueue()
        self.waits = FORK.Value("i", 0)

    def come(self):
        """For the answer: go on when the step has halted."""
        self.coming.release()
        assert self.halted.acquire(timeout=LONG)
        if connection.vendor == "sqlite" and is_locked():
            self.waits.value += 1

    def halt(self):
        """For the step: go on when the answer is stored, or waits."""
        self.halted.release()
        wait_until(lambda: self.answered.is_set() or self.is_waited_for())

    def is_waited_for(self):
        if connection.vendor == "sqlite":  # which cannot tell; the answer has looked
            return self.waits.value > 0
        self.waits.value += (waits := someone_waits())
        return waits


def wait_until(condition):
    deadline = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < deadline


def someone_waits():
    with connection.cursor() as cursor:
        return cursor.execute(WAITED_FOR).fetchone()[0]


def is_locked():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            with transaction.atomic():
                return False
        except OperationalError:
            return True
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {1000 * LONG:.0f}")


def meet(*, judged_by, rounds, after, before=(), without=""):
    """In each round the last step, about the first of the judges, halts after a function.

    `without` is the guard that is taken away: locks, transaction or triggers.
    """
    project, _ = study(pairs=1)
    first, *_ = judge(project, *[1] * judged_by)
    last = cast.person(project)
    for name in before:
        step(first, name)
    pair = judgments.claim(last).pair.public_id
    if without == "triggers":
        with connection.cursor() as cursor:
            cursor.execute("DROP TRIGGER consensus_unfinished ON annotation_consensus")
    meeting = Meeting()
    managing = FORK.Process(target=manage, args=(first, rounds, after, without, meeting))
    answering = FORK.Process(target=answer, args=(last, pair, len(rounds), meeting))
    run_all([managing, answering])
    kept = Judgment.objects.filter(annotator=last.user_id, label__isnull=False).exists()
    came_of_it = {"waits": meeting.waits.value, "said": meeting.said.get(), "kept": kept}
    return came_of_it | {"broken": invariants.broken(project)}


def step(member, name, *, bare=False):
    service = getattr(interventions, name)
    (service.__wrapped__ if bare else service)(member, by=None, reason="We shall see.")


def manage(member, rounds, after, without, meeting):
    function = getattr(recounting, after)

    def halting(*arguments):
        returned = function(*arguments)
        meeting.halt()
        return returned

    for *steps, last in rounds:
        assert meeting.coming.acquire(timeout=LONG)
        for name in steps:
            step(member, name)
        with ExitStack() as stack:
            stack.enter_context(mock.patch.object(recounting, after, halting))
            if without in ("locks", "transaction"):
                unlocked = mock.patch.object(QuerySet, "select_for_update", lambda rows, **_: rows)
                stack.enter_context(unlocked)
            step(member, last, bare=without == "transaction")


def answer(member, pair, times, meeting):
    """Answer when the step has halted; on Postgres its first statements each wait for that."""
    execute, calls = postgres._executed, count()

    def executed(*arguments):
        if 0 < next(calls) < times:
            meeting.come()
        return execute(*arguments)

    meeting.come()
    try:
        with mock.patch.object(postgres, "_executed", executed):
            judgments.submit(reread(member), pair_public_id=pair, label=1)
        meeting.said.put("stored")
    except NotHeld:
        meeting.said.put("not held")
    finally:
        meeting.answered.set()


PUT_BACK = {
    "judged_by": 5,
    "before": ["hold_out"],
    "rounds": [["reinstate"]],
    "after": "_locked",
}
HOLD_OUT = {"judged_by": 4, "rounds": [["hold_out"]], "after": "_take_away"}
# Both times the first answer is missing and its slot is not seen: nothing seems to have changed.
HOLD_OUT_AGAIN = HOLD_OUT | {"rounds": [["hold_out"], ["reinstate", "hold_out"]]}
TOO_EARLY = {"broken": ["pair 1: decided with [1, 1, 1, 1]"]}


def test_an_answer_whose_slot_goes_waits_and_is_refused(installation):
    refused = UNDISTURBED | {"said": "not held", "kept": False}
    assert outcome(installation, meet, **PUT_BACK) == refused


@pytest.mark.parametrize(("engine", "guard"), [("sqlite", "transaction"), ("postgres", "locks")])
def test_control_without_guard_an_answer_that_was_stored_is_lost(installation, guard):
    lost = UNDISTURBED | {"waits": 0, "kept": False}
    assert outcome(installation, meet, **PUT_BACK, without=guard) == lost


@pytest.mark.parametrize(
    ("engine", "steps", "waits"),
    [
        ("sqlite", HOLD_OUT, 1),
        ("postgres", HOLD_OUT, 1),
        # Only there is a turn made of two statements that others can come between.
        ("postgres", HOLD_OUT_AGAIN, 2),
    ],
)
def test_an_answer_waits_until_another_is_wholly_held_out(installation, steps, waits):
    assert outcome(installation, meet, **steps) == UNDISTURBED | {"waits": waits}


@pytest.mark.parametrize(
    ("engine", "steps", "guard", "waits"),
    [
        ("sqlite", HOLD_OUT, "transaction", 0),
        ("postgres", HOLD_OUT, "transaction", 0),
        ("postgres", HOLD_OUT_AGAIN, "triggers", 2),
    ],
)
def test_control_without_guard_a_pair_is_decided_that_lacks_an_answer(
    installation, steps, guard, waits
):
    decided = UNDISTURBED | TOO_EARLY | {"waits": waits}
    assert outcome(installation, meet, **steps, without=guard) == decided


def decide_early(*, guarded=True):
    """The fourth equal answer comes while the fifth person's is on its way to disk."""
    project, _ = study(pairs=1, decides_early=True)
    judge(project, 1, 1, 1)
    fourth, fifth = cast.person(project), cast.person(project)
    held, _ = (judgments.turn(member).held for member in (fourth, fifth))
    connection.close()
    stored = FORK.Event()
    process = FORK.Process(target=answer_fourth, args=(fourth, held.public_id, stored, guarded))
    process.start()
    with transaction.atomic():
        judgments.submit(fifth, pair_public_id=held.public_id, label=0)
        stored.set()
        wait_until(someone_waits)
    process.join()
    lost = not Judgment.objects.filter(annotator=fifth.user_id).exists()
    return {"lost": lost, "broken": invariants.broken(project)}


def answer_fourth(member, pair, stored, guarded):
    assert stored.wait(LONG)
    with nullcontext() if guarded else unguarded(early=True):
        judgments.submit(reread(member), pair_public_id=pair, label=1)


@pytest.mark.parametrize(("engine", "guarded"), [("postgres", True), ("postgres", False)])
def test_an_answer_that_decides_early_waits_for_one_on_its_way_to_disk(installation, guarded):
    found = outcome(installation, decide_early, guarded=guarded)
    assert found["lost"] != guarded
    assert not guarded or found["broken"] == []
