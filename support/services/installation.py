"""An installation for one test: a migrated database, and real processes that work on it."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.places import ROOT
from support.services import fork_server, servers

CELERY = """\
import django
django.setup()
{prelude}
from config import celery_app
celery_app.start({arguments})
"""


@dataclass
class Installation:
    """Where an installation keeps its rows and files, and the processes that run on it."""

    database_url: str
    data_dir: Path
    environment: dict[str, str] = field(default_factory=dict)
    started: list[subprocess.Popen[str]] = field(default_factory=list)
    crowds: int = 0

    def manage(self, *arguments: str, timeout: float = 300) -> str:
        """Run `manage.py ARGUMENTS` to its end; returns what it printed.

        Raises AssertionError, with everything that the process said, when it fails.
        """
        process = self.start(*arguments)
        return _output(process, timeout=timeout)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start `manage.py ARGUMENTS` and leave it running until the end of the test."""
        return self._spawn("manage.py", *arguments)

    def start_code(self, code: str) -> subprocess.Popen[str]:
        """Start Python code, with Django set up, and leave it running until the end of the test."""
        return self._spawn("-c", f"import django\ndjango.setup()\n{code}")

    def celery(self, *arguments: str, prelude: str = "") -> subprocess.Popen[str]:
        """Start `celery ARGUMENTS` with its children as a group, after some Python code.

        What it says goes to a file in the data folder, and it runs until the end of the test.
        """
        code = CELERY.format(prelude=prelude, arguments=list(arguments))
        with self.data_dir.joinpath(f"celery-{len(self.started)}.log").open("w") as log:
            return self._spawn("-c", code, stdout=log, stderr=log, start_new_session=True)

    def run(self, code: str, *, timeout: float = 300) -> str:
        """Run Python code in a new process, with Django set up; returns what it printed."""
        return self.run_together(code, processes=1, timeout=timeout)[0]

    def run_together(self, code: str, *, processes: int, timeout: float = 120) -> list[str]:
        """Run the code in several processes that begin at the same moment.

        Each finds its place among them, from 0 on, in `number`. Returns what each printed.
        """
        self.crowds += 1
        return fork_server.run_together(
            code,
            processes=processes,
            environment=self._own_environment(),
            folder=self.data_dir / f"crowd-{self.crowds}",
            timeout=timeout,
        )

    def serve(self) -> str:
        """Start a web server; returns its address once it accepts connections."""
        port = servers.free_port()
        options = ["--bind", f"127.0.0.1:{port}", "--no-control-socket", "--log-level", "error"]
        process = self._spawn("-m", "gunicorn", "config.wsgi", *options)
        while True:
            assert process.poll() is None, process.communicate()
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port)).close()
                return f"http://127.0.0.1:{port}"
            time.sleep(0.1)

    def stop(self) -> None:
        """End every process that is still running."""
        for process in self.started:
            kill(process)
            process.communicate()

    def _spawn(self, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=os.environ | self._own_environment(),
            text=True,
            **(pipes | options),
        )
        self.started.append(process)
        return process

    def _own_environment(self) -> dict[str, str]:
        return {
            # Under a test, the settings of the suite.
            "DJANGO_SETTINGS_MODULE": os.environ.get("DJANGO_SETTINGS_MODULE", "config.settings"),
            "PAWSMITH_SECRET_KEY": "only-for-this-installation",
            "DATABASE_URL": self.database_url,
            "PAWSMITH_DATA_DIR": str(self.data_dir),
            **self.environment,
        }


def kill(process: subprocess.Popen[str]) -> None:
    """kill -9 for a process, and for its children where they are a group of their own."""
    with contextlib.suppress(ProcessLookupError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _output(process: subprocess.Popen[str], *, timeout: float) -> str:
    output, errors = process.communicate(timeout=timeout)
    assert process.returncode == 0, f"{output}\n{errors}"
    return output
