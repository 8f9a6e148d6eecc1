"""Celery workers over a real Redis: several at a time, bounded in memory and in time."""

import json

import pytest

from tests.services.celery_workers import CeleryWorkers

pytestmark = pytest.mark.parametrize("engine", ["postgres"])

FAKE = """
from tests.generation import fake
fake.install()
"""

NOTE = """
import os
def noted(call, file):
    def noting(*arguments, **options):
        with open(file, "a") as notes:
            print(os.getpid(), file=notes)
        return call(*arguments, **options)
    return noting
"""

BATCHES_NOTED = """
fake.Backwards.outcomes = noted(fake.Backwards.outcomes, {file!r})
"""

LOADS_NOTED = """
import spacy
from generation.nlp.ngram_scorer import NgramLanguageModel
spacy.load = noted(spacy.load, {file!r})
NgramLanguageModel.load = noted(NgramLanguageModel.load, {file!r})
"""

# Whoever sends a message sets its limits.
SOON_TOO_LATE = """
from config import celery_app
celery_app.conf.task_soft_time_limit = 1
from generation import tasks
tasks.WORK_SECONDS = 0
"""

# Starts runs one after the other, each in its queue, and waits for the end of each.
RUNS = """
import json, time
from config import celery_app
from generation import tasks
from generation.models import GenerationRun
from generation.services import runs
from tests.generation import fake
while len(celery_app.control.ping(timeout=1)) < {workers}:
    pass
def done(run, queue="cpu"):
    GenerationRun.objects.filter(pk=run.pk).update(queue=queue)
    tasks.wake(run.pk)
    until = time.monotonic() + 180
    while run.state != "done" and time.monotonic() < until:
        time.sleep(0.1)
        run.refresh_from_db()
    return run
"""

SIDE_BY_SIDE = """
fake.install()
corpus = fake.corpus(100)
one, two = [done(fake.run(corpus, seconds=0.2), queue) for queue in ("gpu", "cpu")]
print(json.dumps({
    "states": [one.state, two.state],
    "batches": one.batches.count(),
    "same rows": fake.rows(one) == fake.rows(two),
    "rows": len(fake.rows(two)),
}))
"""

TWICE = """
fake.install()
print(json.dumps([done(fake.run(fake.corpus(15, name))).state for name in ("one", "two")]))
"""

TWICE_WITH_MODELS = """
corpus = fake.corpus(15)
def run():
    return runs.start(corpus, method="word_swap", batch_size=5)
print(json.dumps([done(run()).state for _ in range(2)]))
"""

TOO_LONG = """
fake.install()
batch = done(fake.run(fake.corpus(5), seconds=3)).batches.get()
print(json.dumps([batch.state, batch.attempts, batch.error]))
"""


@pytest.fixture
def workers(installation, redis_url):
    installation.environment["CELERY_BROKER_URL"] = redis_url
    return CeleryWorkers(installation, prelude=FAKE)


def printed(installation, code, *, workers=1, before=""):
    output = installation.run(before + RUNS.format(workers=workers) + code)
    return json.loads(output.splitlines()[-1])


def processes(notes):
    """The process of each noted call, in order."""
    return notes.split()


def test_two_workers_share_a_run_and_give_the_rows_of_one(workers):
    notes = workers.installation.data_dir / "batches"
    workers.prelude = FAKE + NOTE + BATCHES_NOTED.format(file=str(notes))
    workers.start(queues="cpu,gpu")
    workers.start(queues="cpu")

    found = printed(workers.installation, SIDE_BY_SIDE, workers=2)

    assert found["states"] == ["done", "done"]
    assert found["rows"] == 90
    assert found["same rows"]
    used, batches = processes(notes.read_text()), found["batches"]
    assert len(used) == 2 * batches
    assert len(set(used[:batches])) == 1
    assert len(set(used[batches:])) == 2


def test_a_process_loads_its_models_once(workers):
    notes = workers.installation.data_dir / "loads"
    workers.prelude = NOTE + LOADS_NOTED.format(file=str(notes))
    workers.start()

    assert printed(workers.installation, TWICE_WITH_MODELS) == ["done", "done"]

    tagger, language_model = processes(notes.read_text())
    assert tagger == language_model


@pytest.mark.parametrize(("mebibytes", "processes_used"), [("1", 2), ("4096", 1)])
def test_a_process_that_uses_too_much_memory_is_replaced_after_its_task(
    workers, mebibytes, processes_used
):
    workers.installation.environment["PAWSMITH_WORKER_MEMORY"] = mebibytes
    notes = workers.installation.data_dir / "batches"
    workers.prelude = FAKE + NOTE + BATCHES_NOTED.format(file=str(notes))
    workers.start()

    assert printed(workers.installation, TWICE) == ["done", "done"]

    used = processes(notes.read_text())
    assert len(used) == 6
    assert len(set(used[:3])) == len(set(used[3:])) == 1
    assert len(set(used)) == processes_used


def test_an_attempt_that_takes_too_long_fails_and_says_so(workers):
    workers.prelude = SOON_TOO_LATE + FAKE
    workers.start()

    state, attempts, error = printed(workers.installation, TOO_LONG, before=SOON_TOO_LATE)

    assert (state, attempts) == ("parked", 3)
    assert error.startswith("SoftTimeLimitExceeded")
