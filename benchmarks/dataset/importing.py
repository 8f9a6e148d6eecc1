"""How fast pairs from elsewhere are imported, compared with a bare insert."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.dataset.one_import import Step
from benchmarks.dataset.place import Place, Took
from benchmarks.table import Figure, at_least
from support.places import ROOT

PAIRS = 50_000


def figures(place: Place, *, pairs: int = PAIRS) -> list[Figure]:
    """Of a TSV file: the whole command on Postgres, then step by step on both engines."""
    print(
        "References of the import: executemany (SQLite) or COPY (Postgres) of the same rows with "
        "all their keys, indexes and triggers"
    )
    path = place.folder / "pairs.tsv"
    write(path, pairs)
    postgres = _steps(path, _new_database_url(), place.postgres)
    sqlite = _steps(path, f"sqlite:///{place.folder / 'import.sqlite3'}")
    return [
        *_command_figures(place, path, pairs),
        *_rates("Postgres", postgres, pairs),
        *_rates("SQLite", sqlite, pairs),
    ]


def _command_figures(place: Place, path: Path, pairs: int) -> list[Figure]:
    """manage.py import_pairs, from start to end: into a corpus alone, then with slots."""
    from annotation.projects.services import projects

    projects.create("Import")
    corpus = place.manage("import_pairs", str(path), "--corpus", "Alone")
    project = place.manage("import_pairs", str(path), "--project", "Import")
    return [
        Figure("command, from its start, into a corpus", pairs / corpus.seconds, "pairs/s"),
        *_cost_figures("command, into a corpus", corpus),
        Figure("command, from its start, into a project", pairs / project.seconds, "pairs/s"),
        *_cost_figures("command, into a project", project),
    ]


def _cost_figures(name: str, took: Took) -> list[Figure]:
    return [
        Figure(f"{name}, CPU", took.cpu, "CPU-s"),
        Figure(f"{name}, CPU of Postgres", took.postgres, "CPU-s"),
        Figure(f"{name}, peak", took.peak_mb, "MB"),
    ]


def _rates(engine: str, steps: dict[str, Step], pairs: int) -> list[Figure]:
    """Pairs per second, and milliseconds of CPU for a thousand of them, each beside the bare."""
    corpus, bare_corpus = [steps["corpus"]], [steps["bare_corpus"]]
    project, bare = [*corpus, steps["project"]], [*bare_corpus, steps["bare_project"]]
    rate, goal = _rate(corpus, pairs), at_least(10_000)
    return [
        Figure(f"{engine}: read the file", *_rate([steps["reading"]], pairs)),
        Figure(f"{engine}: into a corpus", *rate, *_rate(bare_corpus, pairs)[:1], goal),
        Figure(f"{engine}: into a project", *_rate(project, pairs), *_rate(bare, pairs)[:1]),
        Figure(
            f"{engine}: into a corpus, CPU", *_cpu(corpus, pairs), *_cpu(bare_corpus, pairs)[:1]
        ),
        Figure(f"{engine}: into a project, CPU", *_cpu(project, pairs), *_cpu(bare, pairs)[:1]),
    ]


def _rate(steps: list[Step], pairs: int) -> tuple[float, str]:
    return pairs / sum(step.seconds for step in steps), "pairs/s"


def _cpu(steps: list[Step], pairs: int) -> tuple[float, str]:
    return sum(step.cpu + step.database for step in steps) / pairs * 1e6, "CPU-µs/pair"


def _steps(path: Path, database_url: str, *postgres: int) -> dict[str, Step]:
    command = [sys.executable, "-m", "benchmarks.dataset.one_import", str(path)]
    process = subprocess.run(
        [*command, *map(str, postgres)],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database_url},
        stdout=subprocess.PIPE,
        check=True,
    )
    return {name: Step(**step) for name, step in json.loads(process.stdout).items()}


def _new_database_url() -> str:
    """An empty database of the same server, which an import may empty again."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE steps")
    return urlsplit(os.environ["DATABASE_URL"])._replace(path="/steps").geturl()


def write(path: Path, pairs: int) -> None:
    """A file of sentences of ordinary length, none of which comes twice."""
    with path.open("w", encoding="utf-8") as file:
        file.write("sentence1\tsentence2\tmethod\n")
        for number in range(pairs):
            tail = f"along the river in {number} before the winter came and the roads were closed."
            file.write(
                f"The northern railway was built {tail}\tBuilt was the northern railway {tail}"
                "\tback_translation\n"
            )
