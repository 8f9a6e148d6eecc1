"""One import of pairs, step by step, in a process of its own; prints the figures as JSON.

`python -m benchmarks.dataset.one_import FILE [PROCESS OF POSTGRES]`, with the database in
the environment, which is emptied on the way.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.annotation import cpu
from benchmarks.dataset import plain_copy

if TYPE_CHECKING:
    from generation.readers import PairLine
    from generation.records import Refusal


@dataclass(slots=True)
class Step:
    """Wall-clock seconds, CPU seconds of this process and its own, and of Postgres."""

    seconds: float = 0.0
    cpu: float = 0.0
    database: float = 0.0


def main(file: str, *database: str) -> None:
    """Bring the pairs into a corpus, then into a project; and the same rows without Pawsmith."""
    from annotation.pairs.services import intake
    from annotation.projects.services import projects
    from generation.models import Corpus
    from generation.services.imported_pairs import import_candidates

    postgres = [int(process) for process in database]
    project = projects.create("Steps")
    with _stopwatch(postgres) as reading:
        lines_read = sum(1 for _ in _lines(Path(file)))
    with _stopwatch(postgres) as into_corpus:
        corpus = Corpus.objects.create(name="Steps")
        report = import_candidates(_lines(Path(file)), corpus=corpus, origin="steps")
    with _stopwatch(postgres) as into_project:
        for run in report.runs.values():
            project.runs.add(run)
        taken_in = intake.take_in(project)
    if not lines_read == report.added == taken_in:
        raise RuntimeError(
            f"{lines_read} pairs were read, {report.added} added, {taken_in} taken in"
        )
    parts = [plain_copy.rows_of(tables) for tables in (plain_copy.CORPUS, plain_copy.PROJECT)]
    plain_copy.empty_tables()
    bare = []
    for part in parts:
        with _stopwatch(postgres) as step:
            plain_copy.insert_rows(part)
        bare.append(step)
    steps = {"reading": reading, "corpus": into_corpus, "project": into_project}
    steps |= {"bare_corpus": bare[0], "bare_project": bare[1]}
    print(json.dumps({name: asdict(step) for name, step in steps.items()}))


def _lines(file: Path) -> "Iterator[PairLine | Refusal]":
    from annotation.imports.kinds import KINDS
    from annotation.imports.lines import make_lines, open_file

    kind = KINDS["pairs"]
    with open_file(file, kind.fields) as table:
        yield from make_lines(table.lines, kind.make)


@contextmanager
def _stopwatch(postgres: list[int]) -> Iterator[Step]:
    step = Step()
    began, cpu_before, postgres_before = (
        time.perf_counter(),
        sum(os.times()[:4]),
        cpu.seconds_of(postgres),
    )
    yield step
    step.seconds = time.perf_counter() - began
    step.cpu = sum(os.times()[:4]) - cpu_before
    step.database = cpu.seconds_of(postgres) - postgres_before


if __name__ == "__main__":
    import django
    from django.core.management import call_command

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    call_command("migrate", verbosity=0)
    main(*sys.argv[1:])
