"""The measured installation: Postgres, a migrated database, gunicorn with two processes."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.annotation import cpu
from support.places import ROOT
from support.services import servers, sites

SETTINGS = "benchmarks.annotation.plain_settings"

# As in production: what was acknowledged is on disk. No vacuum and no new statistics meanwhile.
POSTGRES = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "autovacuum": "off",
    "max_wal_size": "'8GB'",
}


@dataclass(frozen=True, slots=True)
class House:
    """Address of the web server, and the processes whose CPU time counts."""

    address: tuple[str, int]
    web: int
    postgres: int

    def cpu(self) -> tuple[float, float]:
        """Seconds so far, of web and of database."""
        return cpu.seconds_of([self.web]), cpu.seconds_of([self.postgres])


@contextmanager
def start_house(*, workers: int = 2, threads: int = 4) -> Iterator[House]:
    """Start everything, with Django of this process set up on the same database."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder, servers.postgres() as url:
        sites.set_up(folder, url, DJANGO_SETTINGS_MODULE=SETTINGS)
        postgres = durable_postgres()
        with gunicorn("config.wsgi", workers=workers, threads=threads) as (address, web):
            yield House(address, web, postgres)


@contextmanager
def gunicorn(
    application: str, *, workers: int, threads: int, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[tuple[str, int], int]]:
    """Serve an application; yields its address and its first process."""
    port = servers.free_port()
    options = ["--bind", f"127.0.0.1:{port}", "--workers", str(workers), "--threads", str(threads)]
    options += ["--no-control-socket", "--log-level", "warning"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", application, *options],
        cwd=ROOT,
        env=os.environ | dict(environment or {}),
    )
    try:
        sites.wait_for_port(port)
        yield ("127.0.0.1", port), process.pid
    finally:
        process.terminate()
        process.wait()


def durable_postgres() -> int:
    """Let Postgres be durable as in production; returns the id of its first process."""
    from django.db import connection

    with connection.cursor() as cursor:
        for name, value in POSTGRES.items():
            cursor.execute(f"ALTER SYSTEM SET {name} = {value}")
        cursor.execute("SELECT pg_reload_conf()")
        cursor.execute("SELECT pg_backend_pid()")
        [backend] = cursor.fetchone()
    return int(Path(f"/proc/{backend}/stat").read_text().rpartition(")")[2].split()[1])
