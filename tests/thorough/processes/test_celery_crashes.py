"""Workers and Redis are killed; every row is there once, as if nothing had happened."""

import json
import time

import psycopg
import pytest
import redis as redis_client

from support.services import servers
from support.services.celery_workers import CeleryWorkers

pytestmark = pytest.mark.parametrize("engine", ["postgres"])

BATCHES = 40
# Leases of seconds, and a sentence that kills every process that reads it.
PRELUDE = """
import os, signal
from datetime import timedelta
from config import celery_app
from generation import tasks
from generation.services import batches
from support import fake
fake.install()
tasks.WORK_SECONDS = 1  # workers need further messages after each second
batches.LEASE, batches.RENEWAL = timedelta(seconds=3), timedelta(seconds=1)
celery_app.conf.beat_schedule["sweep"]["schedule"] = 2.0
outcomes = fake.Backwards.outcomes
def deadly(rewriter, texts):
    if "sentence number 77" in texts:
        os.kill(os.getpid(), signal.SIGKILL)
    return outcomes(rewriter, texts)
fake.Backwards.outcomes = deadly
"""
START = """
from generation import tasks
from support import fake
from support.workers import work_until_idle
fake.install()
corpus = fake.corpus(200)
undisturbed = fake.run(corpus)
work_until_idle(undisturbed)
disturbed = fake.run(corpus, seconds=0.2)
tasks.wake(disturbed.pk)
print(disturbed.pk)
"""
COMPARE = """
import json
from generation.models import GenerationRun, Worker
from support import fake
undisturbed, disturbed = GenerationRun.objects.order_by("id")
parked = disturbed.batches.get(state="parked")
rows = [row for row in fake.rows(undisturbed) if row[1] != parked.number]
print(json.dumps({
    "state": disturbed.state,
    "done": disturbed.batches.filter(state="done").count(),
    "parked": [parked.number, parked.attempts, parked.error],
    "rows": len(rows),
    "same rows": fake.rows(disturbed) == rows,
}))
"""
PROGRESS = """
SELECT run.state, count(*) FILTER (WHERE batch.state = 'done')
FROM generation_batch batch JOIN generation_generationrun run ON run.id = run_id
WHERE run_id = %s GROUP BY run.state
"""


@pytest.fixture
def redis():
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def workers(installation, redis):
    installation.environment["CELERY_BROKER_URL"] = redis.url
    return CeleryWorkers(installation, prelude=PRELUDE)


def wait_for(workers, run_id, batches):
    """Wait until this many batches are done, or the run is."""
    until = time.monotonic() + 300
    with psycopg.connect(workers.installation.database_url, autocommit=True) as connection:
        while True:
            state, done = connection.execute(PROGRESS, (run_id,)).fetchone()
            if state == "done" or done >= batches:
                return
            assert time.monotonic() < until, (state, done)
            time.sleep(0.1)


def test_killed_workers_and_a_killed_or_emptied_redis_change_no_row(workers, redis):
    run_id = int(workers.installation.run(START))
    workers.start_beat()
    workers.start()
    workers.start()

    def empty_redis():
        with redis_client.Redis.from_url(redis.url) as client:
            client.flushall()

    def restart_redis():
        redis.kill()
        redis.start()

    for batches, disturb in [
        (5, workers.kill_child_of_first),
        (10, workers.replace_first),
        (15, restart_redis),
        (20, empty_redis),
    ]:
        wait_for(workers, run_id, batches)
        disturb()
    wait_for(workers, run_id, BATCHES)
    found = json.loads(workers.installation.run(COMPARE))
    assert found["state"] == "done"
    assert found["done"] == BATCHES - 1
    assert found["parked"][:2] == [16, 3]
    assert found["parked"][2].startswith("Three workers died over this batch")
    assert found["rows"] == 175
    assert found["same rows"]


def test_a_run_that_started_while_redis_was_away_is_found_by_the_sweep(workers, redis):
    workers.start()
    workers.start_beat()
    workers.wait_until_ready()
    redis.kill()
    run_id = int(workers.installation.run(START))
    redis.start()
    wait_for(workers, run_id, 1)
