"""Processes that are forked from one parent that has imported everything: to import takes seconds.

The parent is a separate process (multiprocessing's fork server), which never opens a database.
"""

import importlib
import multiprocessing
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connections
from django.utils.functional import empty

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["support.services.preloaded"])


def run_together(
    code: str, *, processes: int, environment: Mapping[str, str], folder: Path, timeout: float
) -> list[str]:
    """Run Python in several processes that begin at the same moment, with Django set up.

    Each finds its place among them, from 0 on, in `number`. Returns what each printed. Raises
    AssertionError, with everything that it said, for one that fails, or exceeds its seconds.
    """
    gate = CONTEXT.Barrier(processes)
    folder.mkdir(parents=True)
    children = [
        CONTEXT.Process(target=_run_code, args=(code, number, dict(environment), folder, gate))
        for number in range(processes)
    ]
    try:
        for child in children:
            child.start()
        for child in children:
            child.join(timeout)
        outputs = [folder.joinpath(f"{number}.stdout") for number in range(processes)]
        for child in children:
            output = [f"exit code {child.exitcode}", *map(Path.read_text, folder.iterdir())]
            assert child.exitcode == 0, "\n".join(output)
        return [output.read_text() for output in outputs]
    finally:
        for child in children:
            child.kill()


def _run_code(code: str, number: int, environment: dict[str, str], folder: Path, gate: Any) -> None:
    for stream in (sys.stdout, sys.stderr):
        name = f"{number}.{stream.name.strip('<>')}"
        os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), stream.fileno())
    _set_environment(environment)
    gate.wait()
    exec(compile(code, "<test>", "exec"), {"__name__": "__main__", "number": number})
    sys.stdout.flush()


def _set_environment(environment: dict[str, str]) -> None:
    """Read the settings again in this environment, and forget the database of the parent."""
    os.environ.update(environment)
    for module_name in [
        name for name in sys.modules if name.startswith(("common.places", "config.settings."))
    ]:
        del sys.modules[module_name]
    for module in ("config.settings", os.environ["DJANGO_SETTINGS_MODULE"]):
        importlib.reload(sys.modules[module])
    settings._wrapped = empty
    connections.__init__()  # type: ignore[misc]
    del connections.settings
