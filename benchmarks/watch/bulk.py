"""An import of pairs with statistics from before it, and lists of pairs and judgments by REST."""

import os
from pathlib import Path
from typing import Any

from benchmarks.annotation import study
from benchmarks.dataset import importing, over_rest, plain_copy
from benchmarks.dataset.build import Clock, stopwatch
from benchmarks.dataset.place import Place

PAIRS = 10_000
# Before the import, the statistics know a study of this size, and no other.
PAIRS_BEFORE = 500
COPIES = 10
SENTENCES = "generation_sentence WHERE corpus_id = {corpus}"
CANDIDATES = "generation_candidate WHERE run_id = {run}"
ITEMS = "annotation_item WHERE project_id = {project}"
SLOTS = "annotation_slot WHERE project_id = {project}"
ANSWERS = f"{SLOTS} AND submitted_at IS NOT NULL"


def import_with_stale_statistics(postgres: int) -> tuple[float, float]:
    """CPU seconds of `import_pairs` into a project, and of a COPY of the same rows."""
    from django.db import connection

    place = Place(Path(os.environ["PAWSMITH_DATA_DIR"]), postgres)
    _import(place, "Earlier", pairs=PAIRS_BEFORE)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    cpu_seconds, project = _import(place, "Imported", pairs=PAIRS)
    run = project.runs.get()
    keys = {"corpus": run.corpus_id, "run": run.pk, "project": project.pk}
    tables = [table.format(**keys) for table in (SENTENCES, CANDIDATES, ITEMS, SLOTS)]
    clocks = [plain_copy.copy_table(table, postgres) for table in tables]
    return cpu_seconds, sum(clock.cpu + clock.postgres for clock in clocks)


def _import(place: Place, name: str, *, pairs: int) -> tuple[float, Any]:
    from annotation.projects.services import projects

    path = place.folder / f"{name}.tsv"
    importing.write(path, pairs)
    project = projects.create(name)
    took = place.manage("import_pairs", str(path), "--project", name)
    if project.pairs.count() != pairs:
        raise RuntimeError(f"{project.pairs.count()} of {pairs} pairs were imported")
    return took.cpu + took.postgres, project


def over_rest_seconds(postgres: int) -> dict[str, tuple[float, float]]:
    """CPU seconds of each list as lines of JSON, and of a COPY of the rows behind it."""
    project = study.make_study("Listed", pairs=PAIRS)
    study.sign_in(project, ["listed"])
    study.record_judgments(project, "listed", pairs=PAIRS)
    client = over_rest.client(project)
    seconds = {}
    for name, table in {"pairs": ITEMS, "judgments": ANSWERS}.items():
        address = f"/api/projects/{project.public_id}/{name}/"
        over_rest.read_lines(client, address)  # what happens at first use is not measured
        with stopwatch(postgres) as reading:
            lines = over_rest.read_lines(client, address)
        if lines != PAIRS:
            raise RuntimeError(f"{lines} {name} were listed")
        # Several times: one takes so little that its share of chance would decide.
        with stopwatch(postgres) as copying:
            for _ in range(COPIES):
                plain_copy.rows_of([table.format(project=project.pk)])
        seconds[name] = (_cpu(reading), _cpu(copying) / COPIES)
    return seconds


def _cpu(clock: Clock) -> float:
    return clock.cpu + clock.postgres
