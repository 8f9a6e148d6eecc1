"""Several processes that seal at once, while pairs are asked anew; run inside an Installation.

Prints one JSON object: what became of the chain, and the errors that were met.
"""

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing.synchronize import Barrier
from typing import Any
from unittest import mock

from django.db import connection
from django.db.models import QuerySet

from annotation.models import Consensus, Judgment, Project, Seal
from annotation.selectors import seals as chain
from annotation.services import rounds, seals
from tests.annotation import cast, judged

FORK = multiprocessing.get_context("fork")
# As it is, but for every constraint.
BARE = "CREATE TABLE annotation_seal (number bigint, judgment_id bigint, digest {bytes})"


def seal(*, workers: int, pairs: int, guarded: bool = True) -> None:
    """Let so many processes seal a study, of which half is disputed and reopened meanwhile."""
    project = cast.study()
    members = judged.people(project, 5)
    votes = [[1] * 5, [1, 1, 1, 0, 0]] * (pairs // 2)
    judged.pairs(project, votes, by=members)
    if not guarded:
        _drop_constraints()
    connection.close()
    met = FORK.SimpleQueue()
    barrier = FORK.Barrier(workers + 1)
    crowd = [
        FORK.Process(target=_work, args=(_seal, project.pk, barrier, met, guarded))
        for _ in range(workers)
    ]
    crowd.append(FORK.Process(target=_work, args=(_reopen, project.pk, barrier, met, True)))
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    print(json.dumps(_outcome(met)))


def _work(
    task: Callable[[int], None], project: int, barrier: Barrier, met: Any, guarded: bool
) -> None:
    barrier.wait()
    with nullcontext() if guarded else _unguarded():
        try:
            task(project)
        except Exception as error:  # reported, not hidden
            met.put(repr(error))


def _seal(_project: int) -> None:
    """One that found another at it looks again, as the schedule lets it."""
    with mock.patch.object(seals, "PAIRS_AT_ONCE", 5):
        for _ in range(100):
            seals.seal_waiting()
            if not chain.waiting().exists():
                return


def _reopen(key: int) -> None:
    project = Project.objects.get(pk=key)
    manager = project.memberships.order_by("pk")[0].user
    for pair in project.pairs.order_by("-pk").values_list("public_id", flat=True):
        rounds.reopen(project, [pair], by=manager)


def _outcome(met: Any) -> dict[str, Any]:
    errors = []
    while not met.empty():
        errors.append(met.get())
    answers = Judgment.objects.filter(pair__consensus__isnull=False, label__isnull=False)
    sealed = list(Seal.objects.values_list("judgment", flat=True))
    return {
        "errors": errors,
        "broken": len(list(chain.broken())),
        "twice": len(sealed) - len(set(sealed)),
        "unsealed": len(set(answers.values_list("pk", flat=True)) - set(sealed)),
        "waiting": Consensus.objects.filter(sealed_at=None).count(),
    }


def _drop_constraints() -> None:
    kind = "bytea" if connection.vendor == "postgresql" else "blob"
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE annotation_seal")
        cursor.execute(BARE.format(bytes=kind))


def _slowly(look: Callable[[], chain.Head]) -> Callable[[], chain.Head]:
    def slow() -> chain.Head:
        found = look()
        time.sleep(0.1)
        return found

    return slow


@contextmanager
def _unguarded() -> Iterator[None]:
    """No row locks, statements that each commit alone, and some time between look and act."""
    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (seals, "_append", seals._append.__wrapped__),  # type: ignore[attr-defined]
            (chain, "head", _slowly(chain.head)),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield
