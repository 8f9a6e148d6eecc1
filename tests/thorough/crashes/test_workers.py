"""Workers that are killed and workers that race: the rows are those of one undisturbed worker.

`die` and `race` are called in a process of an Installation, and print what came of the run.
"""

import json
import multiprocessing
import os
import signal
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F, QuerySet

from generation.models import Batch, Candidate, GenerationRun
from generation.services import batches, worker
from tests.generation import fake

WORKERS, SENTENCES = 4, 100
BATCHES = SENTENCES // 5
fork = multiprocessing.get_context("fork")


def outcome(installation, call):
    printed = installation.run(f"from {__name__} import die, race; {call}")
    return json.loads(printed.splitlines()[-1])


def test_workers_that_are_killed_while_they_rewrite_or_write_change_no_row(installation):
    assert outcome(installation, "die()") == {
        "exits": [-signal.SIGKILL] * 4 + [0],
        "state": "done",
        "same": True,
        "attempts": [1] * (BATCHES - 4) + [2] * 4,
    }


@pytest.mark.parametrize("locks", [True, False])
def test_workers_that_race_work_each_batch_once_with_locks_or_without(installation, locks):
    found = outcome(installation, f"race(locks={locks})")
    assert (found["errors"], found["state"], found["same"]) == ([], "done", True)
    assert (found["attempted"], found["attempts"]) == (BATCHES, [1] * BATCHES)


def test_control_without_comparing_they_take_batches_from_each_other(installation):
    found = outcome(installation, "race(locks=False, compares=False)")
    assert "IntegrityError" in found["errors"][0]


def die():
    """Workers die over their second batch, one after the other; the last works to the end."""
    undisturbed, disturbed = two_runs()
    moments, exits = [(fake.Backwards, "outcomes"), (type(Candidate.objects), "bulk_create")], []
    for moment in (*moments, *moments, None):
        process = fork.Process(target=work_and_die, args=(disturbed.pk, moment))
        process.start()
        process.join()
        exits.append(process.exitcode)
        Batch.objects.update(lease_until=F("lease_until") - timedelta(minutes=1))
        connection.close()
    print(json.dumps(compared(undisturbed, disturbed) | {"exits": exits}))


def race(*, locks, compares=True):
    """Let workers begin a run at the same moment, with or without what keeps them apart."""
    undisturbed, disturbed = two_runs()
    barrier, answers = fork.Barrier(WORKERS), fork.SimpleQueue()
    if not locks:
        drop_locks(barrier)
    if not compares:
        batches._held = lambda batch: Batch.objects.filter(pk=batch.pk)
    for _ in range(WORKERS):
        fork.Process(target=work_with_others, args=(disturbed.pk, barrier, answers)).start()
    told = [answers.get() for _ in range(WORKERS)]
    found = {"attempted": sum(count for count, _ in told), "errors": [e for _, e in told if e]}
    print(json.dumps(compared(undisturbed, disturbed) | found))


def two_runs():
    fake.install()
    corpus = fake.corpus(SENTENCES)
    undisturbed, disturbed = fake.run(corpus), fake.run(corpus)
    worker.work_until_idle(undisturbed)
    connection.close()
    return undisturbed, disturbed


def work_and_die(run_id, moment):
    if moment:
        original, calls = getattr(*moment), []

        def deadly(*arguments):
            done = original(*arguments)
            calls.append(done)
            if len(calls) == 2:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(*moment, deadly)
    worker.work_until_idle(GenerationRun(pk=run_id))


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


def compared(undisturbed, disturbed):
    disturbed.refresh_from_db()
    made = [
        (fake.rows(run), sorted(map(str, run.batches.values_list("number", "outcomes"))))
        for run in (undisturbed, disturbed)
    ]
    attempts = sorted(disturbed.batches.values_list("attempts", flat=True))
    same = made[0] == made[1] and len(made[0][0]) == SENTENCES * 9 // 10
    return {"state": disturbed.state, "same": same, "attempts": attempts}
