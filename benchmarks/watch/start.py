"""What starting costs: commands, migrations, memory of a web process, the first page of a trial."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import urlopen

import psutil

from benchmarks.annotation import cpu
from benchmarks.dataset.place import peak_mb
from support.places import ROOT
from support.services import servers

IMPORTS, PATIENCE = 5, 600
OWN_SETTINGS = {"DJANGO_SETTINGS_MODULE": "config.settings"}


def import_of_django() -> float:
    """CPU seconds of `python -c "import django"` with the parts that every site uses."""
    code = "import django, django.db.models, django.http, django.template, django.urls"
    return sum(_cpu_of(["-c", code]) for _ in range(IMPORTS)) / IMPORTS


def check() -> float:
    """CPU seconds of `manage.py check`; the second run is measured, whose bytecode is cached."""
    _cpu_of(["manage.py", "check"])
    return _cpu_of(["manage.py", "check"])


def migrate(postgres: int) -> float:
    """CPU seconds of `manage.py migrate` on an empty database, those of Postgres included."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE empty")
    url = urlsplit(os.environ["DATABASE_URL"])._replace(path="/empty").geturl()
    postgres_before = cpu.seconds_of([postgres])
    command_seconds = _cpu_of(["manage.py", "migrate", "--verbosity", "0"], {"DATABASE_URL": url})
    return command_seconds + cpu.seconds_of([postgres]) - postgres_before


def memory_mb(server: int) -> float:
    """The most memory that a process of this server has used so far."""
    return max(peak_mb(child.pid) for child in psutil.Process(server).children())


def first_page() -> float:
    """Seconds from `scripts/run`, with its packages installed and no data, to the first page."""
    port = servers.free_port()
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        environment = {
            **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
            **OWN_SETTINGS,
            "PORT": str(port),
            "PAWSMITH_DATA_DIR": folder,
        }
        began = time.perf_counter()
        process = subprocess.Popen(
            [ROOT / "scripts" / "run"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            _wait_for_page(f"http://127.0.0.1:{port}/accounts/login/", process)
            return time.perf_counter() - began
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


def _wait_for_page(address: str, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None:
        try:
            with urlopen(address) as reply:  # noqa: S310 an address of this machine
                if reply.status == 200:
                    return
        except (URLError, ConnectionError):
            time.sleep(0.1)
    raise RuntimeError(f"scripts/run gave no page within {PATIENCE} seconds")


def _cpu_of(arguments: list[str], environment: Mapping[str, str] | None = None) -> float:
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | OWN_SETTINGS | dict(environment or {}),
        stdout=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime
