"""A crowd of real processes that judges a study which decides early; run inside an Installation.

Prints one JSON object: what is wrong in the end, and how many answers were lost that people had
been told were stored.
"""

import json
import multiprocessing
import random
import re
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing.synchronize import Barrier
from typing import Any
from unittest import mock

from django.db import connection, transaction

from annotation.errors import NotHeld
from annotation.models import Consensus, Judgment, Membership
from annotation.services import judgments, rounds
from annotation.services.turns import postgres, sqlite
from tests.annotation import cast
from tests.annotation.services import invariants
from tests.annotation.services.meeting import LONG, WAITED_FOR

FORK = multiprocessing.get_context("fork")


def judge(*, people: int, pairs: int, reopens: int = 0, guarded: bool = True) -> None:
    """Let so many people judge at once, who mostly agree; somebody asks others anew meanwhile."""
    project = cast.study(decides_early=True)
    cast.pairs(project, pairs)
    members = [cast.person(project).pk for _ in range(people)]
    if not guarded:
        _drop_triggers()
    connection.close()
    barrier, told = FORK.Barrier(people), FORK.SimpleQueue()
    arguments = [(member, barrier, told, guarded) for member in members]
    crowd = [FORK.Process(target=_work, args=each) for each in arguments]
    crowd += [FORK.Process(target=_reopen, args=(members[0], told)) for _ in range(reopens)]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    said = _all(told)
    accepted = sum(each for each in said if isinstance(each, int))
    outcome = {
        "broken": invariants.broken(project),
        "lost": accepted - Judgment.objects.filter(label__isnull=False).count(),
        "errors": [each for each in said if isinstance(each, str)],
        "early": Consensus.objects.filter(kept=True).exclude(tally__in=[[0, 5], [5, 0]]).count(),
    }
    print(json.dumps(outcome))


def meet(*, guarded: bool = True) -> None:
    """The fourth equal answer comes while the fifth person's, who disagrees, is on its way to disk.

    On Postgres, where that shows: who decides is seen to wait for it.
    """
    project = cast.study(decides_early=True)
    cast.pairs(project, 1)
    for _ in range(3):
        cast.judge_next(cast.person(project))
    fourth, fifth = cast.person(project), cast.person(project)
    held, _ = [judgments.turn(member).held for member in (fourth, fifth)]
    pair = held.public_id
    connection.close()
    stored = FORK.Event()
    process = FORK.Process(target=_decide, args=(fourth.pk, pair, stored, guarded))
    process.start()
    with transaction.atomic():
        judgments.submit(fifth, pair_public_id=pair, label=0)
        stored.set()
        _wait_for_somebody()
    process.join()
    is_lost = not Judgment.objects.filter(annotator=fifth.user_id).exists()
    print(json.dumps({"lost": is_lost, "broken": invariants.broken(project)}))


def _decide(member: int, pair: Any, stored: Any, guarded: bool) -> None:
    assert stored.wait(LONG)
    membership = Membership.objects.select_related("project", "user").get(pk=member)
    with nullcontext() if guarded else _unguarded():
        judgments.submit(membership, pair_public_id=pair, label=1)


def _wait_for_somebody() -> None:
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline:
        with connection.cursor() as cursor:
            cursor.execute(WAITED_FOR)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    raise TimeoutError("nobody waits")


def _work(member: int, barrier: Barrier, told: Any, guarded: bool) -> None:
    barrier.wait()
    accepted = 0
    with nullcontext() if guarded else _unguarded():
        try:
            membership = Membership.objects.select_related("project", "user").get(pk=member)
            while held := judgments.turn(membership).held:
                accepted += _answered(membership, held)
        except Exception as error:  # whatever a person would have met is reported, not hidden
            told.put(repr(error))
    told.put(accepted)


def _answered(membership: Membership, held: Any) -> bool:
    label = int(random.random() < 0.8)
    try:
        judgments.submit(membership, pair_public_id=held.public_id, label=label, seconds=1.0)
    except NotHeld:  # enough agreed before
        return False
    return True


def _reopen(member: int, told: Any) -> None:
    """Ask others anew about whatever is disputed, again and again."""
    membership = Membership.objects.select_related("project", "user").get(pk=member)
    pairs = list(membership.project.pairs.values_list("public_id", flat=True))
    try:
        for _ in range(15):
            rounds.reopen(membership.project, pairs, by=membership.user)
    except Exception as error:  # as above
        told.put(repr(error))


def _drop_triggers() -> None:
    """What would refuse the worst of it."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("DROP TRIGGER consensus_unfinished ON annotation_consensus")
            cursor.execute("DROP TRIGGER judgment_decided ON annotation_judgment")
            return
        for name in ("consensus_unfinished", "judgment_decided_update", "judgment_decided_delete"):
            cursor.execute(f"DROP TRIGGER {name}")


@contextmanager
def _unguarded() -> Iterator[None]:
    """Turns without their guard: no locks on Postgres, no transaction on SQLite."""
    text = postgres.statement(breadth=False, hidden=False, early=True)
    without_locks = re.sub(r"FOR UPDATE( OF slot)?( SKIP LOCKED)?", "", text)
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(postgres, "statement", return_value=without_locks))
        stack.enter_context(mock.patch.object(sqlite, "transaction", mock.Mock(atomic=nullcontext)))
        yield


def _all(told: Any) -> list[Any]:
    met = []
    while not told.empty():
        met.append(told.get())
    return met
