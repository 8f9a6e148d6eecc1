"""Celery workers, each a process with a child, to be killed and replaced."""

import os
import signal
import subprocess
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from support.services.installation import Installation, kill

WORKER = (
    *("worker", "--concurrency", "1", "--without-gossip", "--without-mingle"),
    *("--loglevel", "INFO"),
)
BEAT = ("beat", "--loglevel", "INFO", "--pidfile", "")


@dataclass
class CeleryWorkers:
    """Workers of an installation, the one that was started first in front.

    `prelude` is Python that each runs before Celery, with Django set up.
    """

    installation: Installation
    prelude: str = ""
    workers: deque[subprocess.Popen[str]] = field(default_factory=deque)

    def start(self, *, queues: str = "beat,cpu") -> None:
        """Start one more worker."""
        named = ("--hostname", f"worker{len(self.installation.started)}@%h", "--queues", queues)
        self.workers.append(self.installation.celery(*WORKER, *named, prelude=self.prelude))

    def wait_until_ready(self, *, seconds: float = 120) -> None:
        """Wait until all workers have connected. Raises AssertionError."""
        until = time.monotonic() + seconds
        logs = self.installation.data_dir.glob
        while sum(" ready." in log.read_text() for log in logs("celery-*.log")) < len(self.workers):
            assert time.monotonic() < until
            time.sleep(0.1)

    def start_beat(self) -> None:
        """Start the schedule."""
        schedule = str(self.installation.data_dir / "schedule")
        self.installation.celery(*BEAT, "--schedule", schedule, prelude=self.prelude)

    def replace_first(self, *, queues: str = "beat,cpu") -> None:
        """kill -9 for the first worker and its child; start another."""
        kill(self.workers.popleft())
        self.start(queues=queues)

    def kill_child_of_first(self) -> bool:
        """kill -9 for the process that works; the worker itself replaces it. False without one."""
        self.workers.rotate(-1)
        children = children_of(self.workers[-1].pid)
        for child in children:
            os.kill(child, signal.SIGKILL)
        return bool(children)

    def core_seconds(self) -> float:
        """User and system time of the workers and of their children that are still running."""
        processes = [worker.pid for worker in self.workers]
        return sum(map(_core_seconds, processes + [c for p in processes for c in children_of(p)]))


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that are still running."""
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in listed.read_text().split()] if listed.exists() else []


def _core_seconds(pid: int) -> float:
    columns = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(columns[11]) + int(columns[12])) / os.sysconf("SC_CLK_TCK")
