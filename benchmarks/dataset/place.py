"""The measured installation: Postgres, a migrated database, and commands in processes of theirs."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.annotation import cpu
from benchmarks.annotation.house import durable_postgres
from support.places import ROOT
from support.services import servers, sites

EVERY = 0.1


@dataclass(frozen=True, slots=True)
class Took:
    """Wall-clock seconds, CPU seconds of the process and of Postgres, and the process's peak."""

    seconds: float
    cpu: float
    postgres: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Place:
    """A folder for files, and the process whose CPU time is the database's."""

    folder: Path
    postgres: int

    def manage(self, *arguments: str) -> Took:
        """Run a command of manage.py. Raises RuntimeError where it fails."""
        before, began = cpu.seconds_of([self.postgres]), time.perf_counter()
        command = [sys.executable, "manage.py", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        peak, (ended, status, used) = 0.0, os.wait4(process.pid, os.WNOHANG)
        while not ended:
            time.sleep(EVERY)
            peak = max(peak, peak_mb(process.pid))
            ended, status, used = os.wait4(process.pid, os.WNOHANG)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{' '.join(arguments)} ended with {process.returncode}")
        own = used.ru_utime + used.ru_stime
        return Took(seconds, own, cpu.seconds_of([self.postgres]) - before, peak)


@contextmanager
def start_site() -> Iterator[Place]:
    """Start Postgres, and set Django of this process up on it."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder, servers.postgres() as url:
        sites.set_up(folder, url)
        yield Place(Path(folder), durable_postgres())


def peak_mb(process: int) -> float:
    """Most memory so far, which the kernel keeps; 0 where it has just ended."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return next((int(line.split()[1]) / 1000 for line in lines if line.startswith("VmHWM")), 0.0)
