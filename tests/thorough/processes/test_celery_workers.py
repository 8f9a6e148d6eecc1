"""Celery workers over a real Redis: several at a time, bounded in memory and in time."""

import json

import pytest

from support.services.celery_workers import CeleryWorkers

pytestmark = pytest.mark.parametrize("engine", ["postgres"])

FAKE = """
from support import fake
fake.install()
"""
# Each call of a function writes the number of its process to a file.
NOTE = """
import os
def noted(call):
    def noting(*arguments, **options):
        with open({file!r}, "a") as notes:
            print(os.getpid(), file=notes)
        return call(*arguments, **options)
    return noting
"""
NOTE_BATCHES = "fake.Backwards.outcomes = noted(fake.Backwards.outcomes)\n"
NOTE_LOADS = """
import spacy
from generation.nlp.ngram import NgramModel
spacy.load = noted(spacy.load)
NgramModel.load = noted(NgramModel.load)
"""
# The sender of a message sets its limits.
SOON_TOO_LATE = """
from generation import tasks
tasks.work_run.soft_time_limit = 1
tasks.WORK_SECONDS = 0
"""
# Starts runs one after the other, each in its queue, and waits for the end of each.
RUNS = """
import json, time
from config import celery_app
from generation import tasks
from generation.models import GenerationRun
from generation.services import runs
from support import fake
while len(celery_app.control.ping(timeout=1)) < {workers}:
    pass
def done(run, queue="cpu"):
    GenerationRun.objects.filter(pk=run.pk).update(queue=queue)
    tasks.wake(run.pk)
    until = time.monotonic() + 300
    while run.state != "done" and time.monotonic() < until:
        time.sleep(0.1)
        run.refresh_from_db()
    return run
"""
SAME_RUN_BY_ONE_AND_BY_TWO = """
fake.install()
corpus = fake.corpus(100)
one, two = [done(fake.run(corpus, seconds=0.2), queue) for queue in ("gpu", "cpu")]
print(json.dumps([one.state, two.state, fake.rows(one) == fake.rows(two), len(fake.rows(two))]))
"""
TWO_RUNS = """
fake.install()
print(json.dumps([done(fake.run(fake.corpus(15, name))).state for name in ("one", "two")]))
"""
TWO_RUNS_WITH_MODELS = """
corpus = fake.corpus(15)
starts = [runs.start(corpus, method="word_swap", batch_size=5) for _ in range(2)]
print(json.dumps([done(run).state for run in starts]))
"""
TOO_LONG = """
fake.install()
batch = done(fake.run(fake.corpus(5), seconds=3)).batches.get()
print(json.dumps([batch.state, batch.attempts, batch.error]))
"""


@pytest.fixture
def workers(installation, redis_url):
    installation.environment["CELERY_BROKER_URL"] = redis_url
    return CeleryWorkers(installation)


@pytest.fixture
def notes(tmp_path):
    return tmp_path / "notes"


def note(file):
    return NOTE.format(file=str(file))


def printed(workers, code, *, before=""):
    code = before + RUNS.format(workers=len(workers.workers)) + code
    return json.loads(workers.installation.run(code, timeout=700).splitlines()[-1])


def test_two_workers_share_a_run_and_give_the_rows_of_one(workers, notes):
    workers.prelude = FAKE + note(notes) + NOTE_BATCHES
    workers.start(queues="cpu,gpu")
    workers.start(queues="cpu")
    assert printed(workers, SAME_RUN_BY_ONE_AND_BY_TWO) == ["done", "done", True, 90]
    used = notes.read_text().split()
    of_first, of_second = used[: len(used) // 2], used[len(used) // 2 :]
    assert (len(set(of_first)), len(set(of_second))) == (1, 2)


def test_a_process_loads_its_models_once(workers, notes):
    workers.prelude = note(notes) + NOTE_LOADS
    workers.start()
    assert printed(workers, TWO_RUNS_WITH_MODELS) == ["done", "done"]
    tagger, language_model = notes.read_text().split()
    assert tagger == language_model


@pytest.mark.parametrize(("mebibytes", "processes"), [("1", 2), ("4096", 1)])
def test_a_process_that_uses_too_much_memory_is_replaced_after_its_task(
    workers, notes, mebibytes, processes
):
    workers.installation.environment["PAWSMITH_WORKER_MEMORY"] = mebibytes
    workers.prelude = FAKE + note(notes) + NOTE_BATCHES
    workers.start()
    assert printed(workers, TWO_RUNS) == ["done", "done"]
    used = notes.read_text().split()
    assert len(used) == 6
    assert len(set(used[:3])) == len(set(used[3:])) == 1
    assert len(set(used)) == processes


def test_an_attempt_that_takes_too_long_fails_and_says_so(workers):
    workers.prelude = SOON_TOO_LATE + FAKE
    workers.start()
    state, attempts, error = printed(workers, TOO_LONG, before=SOON_TOO_LATE)
    assert (state, attempts) == ("parked", 3)
    assert error.startswith("SoftTimeLimitExceeded")
