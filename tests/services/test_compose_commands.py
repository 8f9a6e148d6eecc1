"""Each command line of docker-compose.yml, run as a process on a real Postgres and a real Redis."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml

ROOT = Path(__file__).resolve().parents[2]
SERVICES: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
PATIENCE = 300.0


@pytest.fixture
def environment(new_postgres_database: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    """Of a public installation, as the file gives it to every service."""
    static = {"STATIC_DIR": tmp_path / "static", "DATA_DIR": tmp_path}
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAWSMITH_ADDRESS": "https://pawsmith.example",
        "PAWSMITH_SECRET_KEY": "a-key-of-this-test-alone-and-of-more-than-fifty-characters",
        "PAWSMITH_PROXIES": "1",
        "PAWSMITH_SIGN_OF_LIFE": str(tmp_path / "alive"),
        "DATABASE_URL": new_postgres_database,
        "CELERY_BROKER_URL": redis_url,
        "WEB_CONCURRENCY": "2",
        **{f"PAWSMITH_{name}": str(folder) for name, folder in static.items()},
    }


def arguments(service: str, **replaced: str) -> list[str]:
    """What a service runs, with this Python and some words replaced."""
    command = SERVICES[service]["command"]
    for old, new in replaced.items():
        assert old in command
        command = command.replace(old, new)
    program, *rest = shlex.split(command)
    module = [] if program == "python" else ["-m", program]
    return [sys.executable, *module, *rest]


@contextmanager
def running(
    command: list[str], environment: dict[str, str], log: Path, *, ends_with: int | None = 0
) -> Iterator[subprocess.Popen[bytes]]:
    """The process of a service, which has to end with this code when it is told to."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield process
            assert process.poll() is None, log.read_text()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == ends_with or ends_with is None, log.read_text()
        finally:
            process.kill()
            process.wait()


def eventually(what: Any, log: Path) -> None:
    """Wait until something is true."""
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.2)


def answer(port: int, path: str, **headers: str) -> tuple[int, Any]:
    """What the web server answers as if Caddy had asked: status and headers. 0 without one."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            return reply.status, reply.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers
    except OSError:
        return 0, {}


def test_the_web_server_answers_after_the_migration(
    environment: dict[str, str], tmp_path: Path
) -> None:
    subprocess.run(arguments("migrate"), cwd=ROOT, env=environment, check=True)
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    log = tmp_path / "web.log"
    served = ["gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
    assert f"CMD {served}".replace("'", '"') in (ROOT / "Dockerfile").read_text()
    command = [sys.executable, "-m", *served, "--bind", f"127.0.0.1:{port}"]
    by_proxy = {"Host": "pawsmith.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "::1"}

    with running(command, environment, log):
        eventually(lambda: answer(port, "/")[0], log)
        status, headers = answer(port, "/accounts/login/", **by_proxy)

        assert status == 200
        assert headers["Strict-Transport-Security"].startswith("max-age=63072000")
        assert headers["Set-Cookie"].startswith("__Host-csrf=")
        assert answer(port, "/accounts/login/", Host="evil.example")[0] == 400


def test_a_worker_shows_that_it_lives(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "worker.log"

    with running(arguments("worker"), environment, log):
        eventually((tmp_path / "alive").exists, log)


def test_a_worker_with_a_gpu_reads_its_own_queue_and_differs_in_nothing_else() -> None:
    command = SERVICES["worker-gpu"]["command"]

    assert command.replace("--queues gpu", "--queues beat,cpu") == SERVICES["worker"]["command"]


def test_the_scheduler_sends(environment: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "scheduler.log"
    schedule = {"/tmp/beat": str(tmp_path / "beat")}

    broker = redis.Redis.from_url(environment["CELERY_BROKER_URL"])
    broker.flushdb()
    command = [*arguments("scheduler", **schedule), "--pidfile", ""]
    # Stopped while it sends a message, Celery ends with another exit code than 0.
    with broker, running(command, environment, log, ends_with=None):
        eventually(lambda: broker.llen("beat") or broker.llen("cpu"), log)
