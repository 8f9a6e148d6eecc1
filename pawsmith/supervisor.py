"""Processes that run together: if one that is needed ends, all are stopped."""

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence

POLL_SECONDS = 0.1
PATIENCE_SECONDS = 10.0


class Ended(Exception):
    """A process ended that should not have; the message is its name."""


class Supervisor:
    """Processes of one command, which its caller stops."""

    def __init__(self) -> None:
        self._needed: dict[str, subprocess.Popen[bytes]] = {}
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(
        self,
        name: str,
        command: Sequence[str],
        variables: Mapping[str, str] | None = None,
        *,
        is_needed: bool = True,
    ) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(command, env=os.environ | (variables or {}))
        self._processes.append(process)
        if is_needed:
            self._needed[name] = process
        return process

    def finish(self, commands: Mapping[str, Sequence[str]]) -> None:
        """Run commands side by side to their ends, by name. Raises Ended if one fails."""
        processes = {
            name: self.start(name, command, is_needed=False) for name, command in commands.items()
        }
        self.watch(until=lambda: all(process.poll() is not None for process in processes.values()))
        for name, process in processes.items():
            if process.returncode:
                raise Ended(name)

    def watch(self, until: Callable[[], bool] = lambda: False) -> None:
        """Wait until something is true. Raises Ended as soon as a needed process ends."""
        while not until():
            for name, process in self._needed.items():
                if process.poll() is not None:
                    raise Ended(name)
            time.sleep(POLL_SECONDS)

    def stop(self) -> None:
        """Ask all processes to end, and kill those that have not after ten seconds."""
        for process in self._processes:
            process.terminate()
        until = time.monotonic() + PATIENCE_SECONDS
        for process in self._processes:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
