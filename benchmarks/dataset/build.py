"""A release frozen and written in this process, each step timed by itself."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.annotation import cpu


@dataclass(slots=True)
class Clock:
    """Wall-clock seconds, and CPU seconds of this process and of Postgres."""

    seconds: float = 0.0
    cpu: float = 0.0
    postgres: float = 0.0


@contextmanager
def stopwatch(postgres: int) -> Iterator[Clock]:
    """What passes within."""
    clock = Clock()
    began, cpu_before, postgres_before = (
        time.perf_counter(),
        time.process_time(),
        cpu.seconds_of([postgres]),
    )
    yield clock
    clock.seconds = time.perf_counter() - began
    clock.cpu = time.process_time() - cpu_before
    clock.postgres = cpu.seconds_of([postgres]) - postgres_before


@dataclass(frozen=True, slots=True)
class Build:
    """A release, the steps that made it, and the pairs in its files, those of each table too."""

    release: Any
    freezing: Clock
    writing: Clock
    pairs: int


def build(project: Any, folder: Path, postgres: int, version: str = "1.0", **choices: Any) -> Build:
    """Freeze a version of the project, and write it. `choices` are fields of ReleaseSettings."""
    import pyarrow.parquet  # noqa: F401 a worker has long imported it

    from releases.services import publication
    from support.studies import freeze_version

    with stopwatch(postgres) as freezing:
        release = freeze_version(project, version=version, **choices)
    with stopwatch(postgres) as writing:
        publication.write_files(release, folder)
    return Build(release, freezing, writing, release.examples.count())
