"""Workers that race: the rows are those of one undisturbed worker."""

import json
import multiprocessing

import pytest
from django.db import connection
from django.db.models import QuerySet

from generation.models import Batch, GenerationRun
from generation.services import batches, worker
from support import fake

WORKERS, SENTENCES = 4, 100
BATCHES = SENTENCES // 5
fork = multiprocessing.get_context("fork")


def raced(installation, options):
    printed = installation.run(f"from {__name__} import race; race({options})")
    return json.loads(printed.splitlines()[-1])


@pytest.mark.parametrize("locks", [True, False])
def test_workers_that_race_work_each_batch_once_with_locks_or_without(installation, locks):
    found = {"attempted": BATCHES, "attempts": [1] * BATCHES, "errors": [], "same": True}
    assert raced(installation, f"locks={locks}") == found | {"state": "done"}


def test_control_without_comparing_they_take_batches_from_each_other(installation):
    found = raced(installation, "locks=False, compares=False")
    assert "IntegrityError" in found["errors"][0]


def race(*, locks, compares=True):
    """Let workers begin a run at the same moment, with or without what keeps them apart."""
    fake.install()
    corpus = fake.corpus(SENTENCES)
    undisturbed, disturbed = fake.run(corpus), fake.run(corpus)
    worker.work_until_idle(undisturbed)
    connection.close()
    barrier, answers = fork.Barrier(WORKERS), fork.SimpleQueue()
    if not locks:
        drop_locks(barrier)
    if not compares:
        batches._held = lambda batch: Batch.objects.filter(pk=batch.pk)
    for _ in range(WORKERS):
        fork.Process(target=work_with_others, args=(disturbed.pk, barrier, answers)).start()
    counts, errors = zip(*(answers.get() for _ in range(WORKERS)), strict=True)
    disturbed.refresh_from_db()
    one, other = (
        (fake.rows(run), sorted(map(str, run.batches.values_list("number", "outcomes"))))
        for run in (undisturbed, disturbed)
    )
    found = {"errors": [error for error in errors if error], "state": disturbed.state}
    found["attempted"] = sum(counts)
    found["attempts"] = sorted(disturbed.batches.values_list("attempts", flat=True))
    found["same"] = one == other and len(one[0]) == SENTENCES * 9 // 10
    print(json.dumps(found))


def work_with_others(run_id, barrier, answers):
    barrier.wait()
    attempted, error = 0, ""
    try:
        while worker.step(GenerationRun(pk=run_id)):
            attempted += 1
    except Exception as met:  # reported, not hidden
        error = repr(met)
    answers.put((attempted, error))


def drop_locks(barrier):
    """Claims neither lock the row nor hold a transaction, and all have read the same first row."""
    take, taken = batches._take, []
    QuerySet.select_for_update = lambda self, **_: self
    batches._claim_in = batches._claim_in.__wrapped__

    def take_together(*arguments):
        if not taken:
            taken.append(barrier.wait())
        return take(*arguments)

    batches._take = take_together
