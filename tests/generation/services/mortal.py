"""Workers that die, and workers that race, over one run; to be called inside an Installation.

Each prints one JSON object that compares the run with one that a single worker did undisturbed.
"""

import json
import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from generation.models import Batch, Candidate, GenerationRun
from generation.services import batches, worker
from tests.generation import fake

LEASE_SECONDS = 0.5

fork = multiprocessing.get_context("fork")


def die(*, deaths: int, moment: str, sentences: int) -> None:
    """Let so many workers die at this moment of their second batch, one after the other."""
    fake.install(lease_seconds=LEASE_SECONDS)
    undisturbed, disturbed = _two_runs(sentences)
    exits = [_exit_code(_work_and_die, disturbed.pk, moment) for _ in range(deaths)]
    exits.append(_exit_code(_work_to_the_end, disturbed.pk))
    print(json.dumps(_compared(undisturbed, disturbed) | {"exits": exits}))


def race(*, workers: int, sentences: int, locks: bool = True, compares: bool = True) -> None:
    """Let workers begin a run at the same moment, with and without what keeps them apart."""
    fake.install()
    undisturbed, disturbed = _two_runs(sentences)
    if not locks:
        _drop_locks()
    if not compares:
        _drop_comparison()
    barrier, said_by = fork.Barrier(workers), fork.SimpleQueue()
    crowd = [
        fork.Process(target=_work_beside_others, args=(disturbed.pk, barrier, said_by))
        for _ in range(workers)
    ]
    for process in crowd:
        process.start()
    said = [said_by.get() for _ in crowd]
    for process in crowd:
        process.join()
    found = {"attempted": sum(count for count, _ in said), "errors": [e for _, e in said if e]}
    print(json.dumps(_compared(undisturbed, disturbed) | found))


def _two_runs(sentences: int) -> tuple[GenerationRun, GenerationRun]:
    corpus = fake.corpus(sentences)
    undisturbed, disturbed = fake.run(corpus), fake.run(corpus)
    worker.work_until_idle(undisturbed)
    connection.close()
    return undisturbed, disturbed


def _exit_code(work: Callable[..., None], *arguments: Any) -> int | None:
    process = fork.Process(target=work, args=arguments)
    process.start()
    process.join()
    return process.exitcode


def _work_and_die(run_id: int, moment: str) -> None:
    owner: Any = {"rewriting": fake.Backwards, "writing": type(Candidate.objects)}[moment]
    name = {"rewriting": "outcomes", "writing": "bulk_create"}[moment]
    original, calls = getattr(owner, name), list[int]()

    def deadly(*arguments: Any) -> Any:
        done = original(*arguments)
        calls.append(1)
        if len(calls) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return done

    setattr(owner, name, deadly)
    _work_to_the_end(run_id)


def _work_to_the_end(run_id: int) -> None:
    run = GenerationRun.objects.get(pk=run_id)
    while run.state == GenerationRun.State.RUNNING:
        if not worker.step(run):
            time.sleep(LEASE_SECONDS / 5)
        run.refresh_from_db()


def _work_beside_others(run_id: int, barrier: Any, said: Any) -> None:
    barrier.wait()
    attempted, error = 0, ""
    try:
        while worker.step(GenerationRun(pk=run_id)):
            attempted += 1
    except Exception as met:  # reported, not hidden
        error = repr(met)
    said.put((attempted, error))


def _compared(undisturbed: GenerationRun, disturbed: GenerationRun) -> dict[str, Any]:
    disturbed.refresh_from_db()
    outcomes = [list(run.batches.values_list("outcomes")) for run in (undisturbed, disturbed)]
    return {
        "state": disturbed.state,
        "rows": len(fake.rows(disturbed)),
        "same rows": fake.rows(disturbed) == fake.rows(undisturbed),
        "same outcomes": outcomes[0] == outcomes[1],
        "attempts": sorted(disturbed.batches.values_list("attempts", flat=True)),
    }


def _drop_locks() -> None:
    """Claims neither lock the row nor hold a transaction, and take their time."""
    claim_in, take = batches._claim_in.__wrapped__, batches._take
    QuerySet.select_for_update = lambda self, **_: self  # type: ignore[method-assign]
    batches._claim_in = claim_in

    def slow_take(*arguments: Any) -> bool:
        time.sleep(0.01)
        return take(*arguments)

    batches._take = slow_take


def _drop_comparison() -> None:
    """A batch is held by whoever says so."""
    batches._held = lambda batch: Batch.objects.filter(pk=batch.pk)
