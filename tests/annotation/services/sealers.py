"""Several processes that seal at once, while pairs are asked anew; run inside an Installation.

Prints one JSON object: what became of the chain, and the errors that were met.
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing.synchronize import Barrier
from typing import Any
from unittest import mock

from django.db import connection
from django.db.models import QuerySet

from annotation.dataset.seals import chain as chain_of
from annotation.models import Consensus, Judgment, Project, Seal
from annotation.selectors import seals as chain
from annotation.services import rounds, seals
from tests.annotation import cast, judged

FORK = multiprocessing.get_context("fork")
LONG = 60.0
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
    gate = None if guarded else FORK.Barrier(workers)
    crowd = [
        FORK.Process(target=_work, args=(_seal, project.pk, barrier, met, gate))
        for _ in range(workers)
    ]
    crowd.append(FORK.Process(target=_work, args=(_reopen, project.pk, barrier, met, None)))
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    print(json.dumps(_outcome(met)))


def _work(
    task: Callable[[int], None], project: int, barrier: Barrier, met: Any, gate: Barrier | None
) -> None:
    barrier.wait()
    with _unguarded(gate) if gate else nullcontext():
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


def _linked_together(gate: Barrier) -> Callable[..., Iterator[bytes]]:
    """Links of the chain; the first come when all have read what is to be sealed."""
    first = iter([gate.wait])

    def linked(*arguments: Any, **options: Any) -> Iterator[bytes]:
        for wait in first:
            wait(LONG)
        return chain_of(*arguments, **options)

    return linked


@contextmanager
def _unguarded(gate: Barrier) -> Iterator[None]:
    """No row locks, statements that each commit alone, and nobody acts before all have looked."""
    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (seals, "_append", seals._append.__wrapped__),  # type: ignore[attr-defined]
            (seals, "chain", _linked_together(gate)),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield
