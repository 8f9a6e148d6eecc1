"""Redis is killed five times and flushed once under a run: workers consume again without help.

Two Celery workers, the schedule, real Redis and real Postgres. Redis keeps nothing on disk, so each
kill loses all messages. What is timed is from when Redis is there again until the next batch is
finished. A worker that is at a batch while Redis is away finishes it, which would say nothing of
messages: so workers look at their queues after each batch.
"""

import os
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import redis as redis_client

from benchmarks.table import Figure, at_least, at_most
from support.services import servers
from support.services.celery_workers import CeleryWorkers
from support.services.installation import Installation

KILLS, DOWN_SECONDS = 5, 3.0
LONGEST_SECONDS = 60
PATIENCE_SECONDS = 180.0
# Enough of them for each loss to fall into the run.
SENTENCES_A_LOSS, SECONDS_A_BATCH = 500, 1.0

PRELUDE = """
from generation import tasks
from support import fake
fake.install()
tasks.WORK_SECONDS = 0
"""

START = """
from generation import tasks
from support import fake
fake.install()
tasks.wake(fake.run(fake.corpus({sentences}), seconds={seconds}).pk)
"""

DONE = "SELECT count(*) FROM generation_batch WHERE state = 'done'"
NOT_DONE = "SELECT count(*) FROM generation_batch WHERE state <> 'done'"


@dataclass
class Broker:
    """What is done to Redis, and how long the workers needed each time."""

    workers: CeleryWorkers
    redis: servers.Redis
    waits: list[float] = field(default_factory=list)

    def kill(self) -> None:
        """kill -9, and start it again with nothing in it."""
        self.redis.kill()
        time.sleep(DOWN_SECONDS)
        self.redis.start()
        self._wait()

    def flush(self) -> None:
        """Let it forget all that it holds, queues and bindings, under the workers’ connections."""
        with redis_client.Redis.from_url(self.redis.url) as client:
            client.flushall()
        self._wait()

    def _wait(self) -> None:
        began = time.monotonic()
        wait_for(self.workers, ask(self.workers, DONE) + 1)
        self.waits.append(time.monotonic() - began)


def figures(_on: object = None, *, short: bool = False) -> list[Figure]:
    """The figures of this part, on servers of its own; `short` is one kill and the flush."""
    with (
        servers.postgres() as database,
        servers.redis_server() as redis,
        tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder,
    ):
        # Of what is forked for the run.
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PAWSMITH_SECRET_KEY": "only-for-this-installation",
        }
        home = Installation(database, Path(folder), {"CELERY_BROKER_URL": redis.url})
        home.manage("migrate", "--verbosity", "0")
        try:
            return _measure(
                Broker(CeleryWorkers(home, prelude=PRELUDE), redis), 1 if short else KILLS
            )
        finally:
            home.stop()


def _measure(broker: Broker, kills: int) -> list[Figure]:
    workers = broker.workers
    workers.start_beat()
    for _ in range(2):
        workers.start()
    workers.wait_until_ready()
    sentences = SENTENCES_A_LOSS * (kills + 1)
    workers.installation.run(START.format(sentences=sentences, seconds=SECONDS_A_BATCH))
    wait_for(workers, 5)
    for _ in range(kills):
        broker.kill()
    broker.flush()
    return [
        Figure("kill -9 of Redis, all lost", kills, goal=at_least(kills)),
        Figure("flushes of Redis", 1, goal=at_least(1)),
        Figure("until a batch was done", max(broker.waits), "s", goal=at_most(LONGEST_SECONDS)),
        Figure("batches lost or parked", _batches_left(workers), goal=at_most(0)),
    ]


def _batches_left(workers: CeleryWorkers) -> int:
    """The batches that are not done when none has been finished for a while."""
    batches, until = ask(workers, NOT_DONE), time.monotonic() + LONGEST_SECONDS
    while batches and time.monotonic() < until:
        time.sleep(0.5)
        if (fewer := ask(workers, NOT_DONE)) < batches:
            batches, until = fewer, time.monotonic() + LONGEST_SECONDS
    return batches


def wait_for(workers: CeleryWorkers, batches: int) -> None:
    """Wait until so many batches are done. Raises TimeoutError after three minutes."""
    until = time.monotonic() + PATIENCE_SECONDS
    while ask(workers, DONE) < batches:
        if time.monotonic() > until:
            raise TimeoutError("The workers have stopped.")
        time.sleep(0.1)


def ask(workers: CeleryWorkers, statement: str) -> int:
    """A number out of the database."""
    with psycopg.connect(workers.installation.database_url) as connection:
        [number] = connection.execute(statement).fetchone() or [0]
        return int(number)
