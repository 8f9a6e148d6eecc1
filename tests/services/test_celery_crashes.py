"""Workers and Redis are killed over and over; every row is there once, as if nothing had been."""

import json
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.services import servers
from tests.services.crew import Crew
from tests.services.installation import Installation

pytestmark = [pytest.mark.parametrize("engine", ["postgres"])]

BATCHES, PATIENCE_SECONDS = 40, 150

# Half-minutes are seconds here, and a sentence kills whoever reads it.
PRELUDE = """
import os, signal
from datetime import timedelta
from config import celery_app
from generation.services import batches
from tests.generation import fake
fake.install()
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
from generation.services import worker
from tests.generation import fake
fake.install()
corpus = fake.corpus(200)
undisturbed = fake.run(corpus)
worker.work_until_idle(undisturbed)
disturbed = fake.run(corpus, seconds=0.2)
tasks.wake(disturbed.pk)
print(disturbed.pk)
"""

COMPARED = """
import json
from generation.models import GenerationRun
from tests.generation import fake
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
def redis() -> Iterator[servers.Redis]:
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def crew(installation: Installation, redis: servers.Redis) -> Crew:
    installation.environment["CELERY_BROKER_URL"] = redis.url
    return Crew(installation, prelude=PRELUDE)


def progress(crew: Crew, run_id: int) -> tuple[str, int]:
    """The state of a run, and how many of its batches are done."""
    with psycopg.connect(crew.installation.database_url) as connection:
        found: Any = connection.execute(PROGRESS, (run_id,)).fetchone()
        return found


def wait_for(crew: Crew, run_id: int, batches: int, *, seconds: float = PATIENCE_SECONDS) -> bool:
    """Whether so many batches were done, or all that can be, before the time was up."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state, done = progress(crew, run_id)
        if state == "done" or done >= batches:
            return True
        time.sleep(0.1)
    return False


def flush(redis: servers.Redis) -> None:
    """Kill Redis with all that it holds, and start it again."""
    redis.kill()
    time.sleep(1)
    redis.start()


def test_kills_of_workers_and_of_redis_change_no_row(crew: Crew, redis: servers.Redis) -> None:
    run_id = int(crew.installation.run(START))
    crew.start_beat()
    crew.hire()
    crew.hire()

    for batches, disturb in [
        (5, crew.kill_child_of_first),
        (10, crew.replace_first),
        (15, lambda: flush(redis)),
    ]:
        assert wait_for(crew, run_id, batches)
        disturb()
    assert wait_for(crew, run_id, BATCHES)

    found = json.loads(crew.installation.run(COMPARED))
    assert found["state"] == "done"
    assert found["done"] == BATCHES - 1
    assert found["parked"][:2] == [16, 3]
    assert found["parked"][2].startswith("Three workers died over this batch")
    assert found["rows"] == 175
    assert found["same rows"]


@pytest.mark.parametrize("sweeps", [True, False], ids=["with sweep", "without"])
def test_a_run_that_started_while_redis_was_away_is_found_by_the_sweep_alone(
    crew: Crew, redis: servers.Redis, sweeps: bool
) -> None:
    crew.hire()
    if sweeps:
        crew.start_beat()
    crew.wait_until_ready()
    redis.kill()
    run_id = int(crew.installation.run(START))
    redis.start()

    assert wait_for(crew, run_id, 1, seconds=PATIENCE_SECONDS if sweeps else 20) is sweeps
