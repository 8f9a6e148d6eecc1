"""Redis forgets everything while workers are at work; nobody helps, and they go on."""

import time
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
import redis as redis_client

from tests.services import servers
from tests.services.crew import Crew
from tests.services.installation import Installation

pytestmark = [pytest.mark.parametrize("engine", ["postgres"])]

BATCHES, GOES_ON_WITHIN_SECONDS = 20, 60

# Workers look at their queues after each second, so that each second needs messages of its own.
PRELUDE = """
from config import celery_app
from generation import tasks
from tests.generation import fake
fake.install()
tasks.WORK_SECONDS = 1
celery_app.conf.beat_schedule["sweep"]["schedule"] = 2.0
"""

START = """
from generation import tasks
from tests.generation import fake
fake.install()
run = fake.run(fake.corpus(100), seconds=0.4)
tasks.wake(run.pk)
"""


@pytest.fixture
def redis() -> Iterator[servers.Redis]:
    with servers.redis_server() as server:
        yield server


@pytest.fixture
def crew(installation: Installation, redis: servers.Redis) -> Crew:
    installation.environment["CELERY_BROKER_URL"] = redis.url
    return Crew(installation, prelude=PRELUDE)


def ask(crew: Crew, statement: str) -> Any:
    with psycopg.connect(crew.installation.database_url) as connection:
        [value] = connection.execute(statement).fetchone() or [None]
        return value


def done(crew: Crew) -> int:
    return int(ask(crew, "SELECT count(*) FROM generation_batch WHERE state = 'done'"))


def wait_for(crew: Crew, batches: int, *, seconds: float) -> bool:
    """Whether so many batches were done before the time was up."""
    until = time.monotonic() + seconds
    while done(crew) < batches and time.monotonic() < until:
        time.sleep(0.1)
    return done(crew) >= batches


@pytest.mark.parametrize("loss", ["flushed", "killed"])
def test_workers_consume_again_within_a_minute_without_help(
    crew: Crew, redis: servers.Redis, loss: str
) -> None:
    crew.hire()
    crew.start_beat()
    crew.wait_until_ready()
    crew.installation.run(START)
    assert wait_for(crew, 3, seconds=60)

    if loss == "flushed":
        with redis_client.Redis.from_url(redis.url) as client:
            client.flushall()
    else:
        redis.kill()
        redis.start()

    assert wait_for(crew, BATCHES, seconds=GOES_ON_WITHIN_SECONDS)
    assert ask(crew, "SELECT count(*) FROM generation_worker WHERE kind = 'celery'") == 1
