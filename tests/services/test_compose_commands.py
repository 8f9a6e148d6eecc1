"""Each command of docker-compose.yml, run as a process on a real Postgres and a real Redis."""

import os
import shlex
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
import requests
import yaml

from support.places import ROOT
from support.services.servers import free_port

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]


@pytest.fixture
def environment(new_postgres_database, redis_url, tmp_path):
    """Of a public installation, as docker-compose.yml gives it to every service."""
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAWSMITH_ADDRESS": "https://pawsmith.example",
        "PAWSMITH_SECRET_KEY": "a-key-of-this-test-alone-and-of-more-than-fifty-characters",
        "PAWSMITH_PROXIES": "1",
        "PAWSMITH_SIGN_OF_LIFE": str(tmp_path / "alive"),
        "DATABASE_URL": new_postgres_database,
        "CELERY_BROKER_URL": redis_url,
        "WEB_CONCURRENCY": "2",
        "PAWSMITH_STATIC_DIR": str(tmp_path / "static"),
        "PAWSMITH_DATA_DIR": str(tmp_path),
    }


def command_of(service, **replaced):
    """The command of a service, with this Python and some words replaced."""
    command = SERVICES[service]["command"]
    for old, new in replaced.items():
        assert old in command
        command = command.replace(old, new)
    program, *rest = shlex.split(command)
    return [sys.executable, *([] if program == "python" else ["-m", program]), *rest]


@contextmanager
def running(command, environment, log, *, ends=True):
    """The process of a service; if it `ends`, it has to do so well when it is stopped."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=output)
        try:
            yield process
            assert process.poll() is None, log.read_text()
            if ends:
                process.send_signal(signal.SIGTERM)
                assert process.wait(300) == 0, log.read_text()
        finally:
            process.kill()
            process.wait()


def wait_until(happened, log, process):
    until = time.monotonic() + 300
    while not happened():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < until, log.read_text()
        time.sleep(0.1)


def test_the_web_server_answers_after_the_migration(environment, tmp_path):
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"]
    for command in (command_of("migrate"), collect):
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
    served = ["gunicorn", "--config", "python:config.gunicorn", "config.wsgi"]
    assert f"CMD {served}".replace("'", '"') in (ROOT / "Dockerfile").read_text()
    port, log = free_port(), tmp_path / "web.log"
    command = [sys.executable, "-m", *served, "--bind", f"127.0.0.1:{port}"]
    page = f"http://127.0.0.1:{port}/accounts/login/"
    by_proxy = {"Host": "pawsmith.example", "X-Forwarded-Proto": "https", "X-Forwarded-For": "::1"}

    def answers():
        try:
            return requests.get(page, timeout=60)
        except requests.ConnectionError:
            return None

    with running(command, environment, log) as process:
        wait_until(lambda: answers() is not None, log, process)
        reply = requests.get(page, headers=by_proxy, timeout=60)

        assert reply.status_code == 200
        assert reply.headers["Strict-Transport-Security"].startswith("max-age=63072000")
        assert reply.headers["Set-Cookie"].startswith("__Host-csrf=")
        assert requests.get(page, headers={"Host": "evil.example"}, timeout=60).status_code == 400


def test_a_worker_shows_that_it_is_alive(environment, tmp_path):
    log = tmp_path / "worker.log"
    with running(command_of("worker"), environment, log) as process:
        wait_until((tmp_path / "alive").exists, log, process)
    with_gpu = SERVICES["worker-gpu"]["command"]
    assert with_gpu.replace("--queues gpu", "--queues beat,cpu") == SERVICES["worker"]["command"]


def test_the_scheduler_starts(environment, tmp_path):
    log = tmp_path / "scheduler.log"
    command = command_of("scheduler", **{"/tmp/beat": str(tmp_path / "beat")})
    # Stopped while it sends a message, Celery does not end with 0, and may not end at all.
    with running([*command, "--pidfile", ""], environment, log, ends=False) as process:
        wait_until(lambda: "beat: Starting" in log.read_text(), log, process)
