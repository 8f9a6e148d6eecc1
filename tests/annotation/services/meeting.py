"""A manager's step and the last answer of a pair, made to meet midway in two real processes.

No luck is needed: the step halts until the answer is stored, or is seen to wait for the step. Run
inside an Installation; each function prints one JSON object: what came of it.
"""

import json
import multiprocessing
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any
from unittest import mock

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

from annotation.errors import NotHeld
from annotation.models import Intervention, Judgment, Membership, Project
from annotation.services import interventions, judgments, recounting
from annotation.services.turns import postgres
from tests.annotation import cast
from tests.annotation.services import invariants

FORK = multiprocessing.get_context("fork")
LONG = 60.0
WAITED_FOR = """
SELECT EXISTS (SELECT FROM pg_locks
WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"""
Service = Callable[..., Intervention]


def put_back(*, without: str = "") -> None:
    """Somebody answers in the stead of an answer just when that is put back."""
    project, member = _judged_by(5)
    _step(interventions.hold_out, member)
    _meet(project, member, [[interventions.reinstate]], after="_locked", without=without)


def hold_out(*, without: str = "") -> None:
    """The fifth answer comes between marking the first as held out and issuing its slot."""
    project, member = _judged_by(4)
    _meet(project, member, [[interventions.hold_out]], after="_take_away", without=without)


def hold_out_again(*, without: str = "") -> None:
    """The fifth answer, found to be the last, waits once more while the first is held out again.

    Both times the first is missing and its slot is not seen, so nothing seems to have changed.
    """
    once = [interventions.hold_out]
    again = [interventions.reinstate, interventions.hold_out]
    project, member = _judged_by(4)
    _meet(project, member, [once, again], after="_take_away", without=without)


class Meeting:
    """What the two processes tell each other."""

    def __init__(self) -> None:
        self.coming, self.halted = FORK.Semaphore(0), FORK.Semaphore(0)
        self.answered, self.said = FORK.Event(), FORK.SimpleQueue()
        self.waits = FORK.Value("i", 0)

    def come(self) -> None:
        """For who answers: go on when the step has halted."""
        self.coming.release()
        assert self.halted.acquire(timeout=LONG)
        if connection.vendor == "sqlite" and _is_locked():
            self.waits.value += 1

    def expect(self) -> None:
        """For the manager: go on when somebody is about to answer."""
        assert self.coming.acquire(timeout=LONG)

    def halt(self) -> None:
        """For the step: go on when the answer is stored, or waits."""
        self.halted.release()
        deadline = time.monotonic() + LONG
        while not (self.answered.is_set() or self._is_waited_for()):
            assert time.monotonic() < deadline
            time.sleep(0.01)

    def _is_waited_for(self) -> bool:
        if connection.vendor == "sqlite":  # which cannot tell; who comes has looked
            return bool(self.waits.value)
        with connection.cursor() as cursor:
            cursor.execute(WAITED_FOR)
            (waited_for,) = cursor.fetchone()
        self.waits.value += waited_for
        return bool(waited_for)


def _is_locked() -> bool:
    with connection.cursor() as cursor:
        patience = cursor.execute("PRAGMA busy_timeout").fetchone()[0]
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            with transaction.atomic():
                return False
        except OperationalError:
            return True
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {patience}")


def _judged_by(people: int) -> tuple[Project, Membership]:
    """A study of one pair that so many have judged, and the first of them."""
    project = cast.study()
    cast.pairs(project, 1)
    members = [cast.person(project) for _ in range(people)]
    for member in members:
        cast.judge_next(member)
    return project, members[0]


def _meet(
    project: Project,
    member: Membership,
    rounds: Sequence[Sequence[Service]],
    *,
    after: str,
    without: str,
) -> None:
    """In each round take its steps about the member, of which the last halts after a function of
    recounting; `without` is the guard that is taken away: locks, transaction or triggers."""
    last = cast.person(project)
    slot = judgments.claim(last)
    assert slot is not None
    if without == "triggers":
        _drop_trigger()
    meeting = Meeting()
    _run(
        FORK.Process(target=_manage, args=(member.pk, rounds, after, without, meeting)),
        FORK.Process(target=_answer, args=(last.pk, slot.pair.public_id, len(rounds), meeting)),
    )
    given = Judgment.objects.filter(annotator=last.user_id, label__isnull=False)
    told = {"waits": meeting.waits.value, "said": meeting.said.get(), "kept": given.exists()}
    print(json.dumps(told | {"broken": invariants.broken(project)}))


def _run(*processes: Any) -> None:
    connection.close()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)


def _manage(
    member: int, rounds: Sequence[Sequence[Service]], after: str, without: str, meeting: Meeting
) -> None:
    membership = Membership.objects.get(pk=member)
    for *steps, last in rounds:
        meeting.expect()
        for step in steps:
            _step(step, membership)
        with _halting(after, meeting), _unguarded(without):
            _step(_bare(last) if without == "transaction" else last, membership)


def _step(service: Service, membership: Membership) -> None:
    service(membership, by=None, reason="We shall see.")


def _bare(service: Service) -> Service:
    return service.__wrapped__  # type: ignore[attr-defined]


@contextmanager
def _halting(name: str, meeting: Meeting) -> Iterator[None]:
    function = getattr(recounting, name)

    def halting(*arguments: Any) -> Any:
        returned = function(*arguments)
        meeting.halt()
        return returned

    with mock.patch.object(recounting, name, halting):
        yield


@contextmanager
def _unguarded(without: str) -> Iterator[None]:
    """No row locks, which there are not without a transaction either."""
    with ExitStack() as stack:
        if without in ("locks", "transaction"):
            unlocked = mock.patch.object(QuerySet, "select_for_update", lambda rows, **_: rows)
            stack.enter_context(unlocked)
        yield


def _drop_trigger() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER consensus_unfinished ON annotation_consensus")


def _answer(member: int, pair: uuid.UUID, times: int, meeting: Meeting) -> None:
    """Answer when the step has halted; on Postgres its first statements each wait for that."""
    membership = Membership.objects.select_related("project", "user").get(pk=member)
    execute, calls = postgres._executed, count()

    def executed(*arguments: Any) -> Any:
        if 0 < next(calls) < times:
            meeting.come()
        return execute(*arguments)

    meeting.come()
    try:
        with mock.patch.object(postgres, "_executed", executed):
            judgments.submit(membership, pair_public_id=pair, label=1, seconds=1.0)
        meeting.said.put("stored")
    except NotHeld:
        meeting.said.put("not held")
    finally:
        meeting.answered.set()
