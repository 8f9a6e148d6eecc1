"""Selects imports and corpora of a project, and the first refused lines."""

import csv
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet, Sum
from django.utils import timezone

from annotation.imports import files
from annotation.models import Import, Project
from annotation.pairs.services import intake
from annotation.projects import additions
from generation import selectors
from generation.models import Corpus, GenerationRun
from generation.nlp.definitions import DefinitionSettings

State = Import.State
FIRST = 20
# Definitions that an entity needs by default to be paired.
MIN_DEFINITIONS = DefinitionSettings().min_definitions


class RefusedLine(NamedTuple):
    """A refused line: its number in the file, why, and the beginning of what it says."""

    line: str
    reason: str
    text: str


def imports_of(project: Project) -> QuerySet[Import]:
    return project.imports.select_related("corpus", "created_by")


def corpora_of(project: Project) -> QuerySet[Corpus]:
    """Return the corpora of the project with `sentences` and `runs`, which are those it has."""
    runs = GenerationRun.objects.filter(projects=project)
    return selectors.annotate_corpora(project.corpora.select_related("owner"), runs).order_by(
        "name"
    )


def seconds_left(row: Import) -> float | None:
    """Return an estimate for a running import; None if it cannot be said yet."""
    if row.state != State.RUNNING or not (row.started_at and row.done and row.total):
        return None
    duration = timezone.now() - row.started_at
    if duration < timedelta(seconds=2):
        return None
    return duration.total_seconds() * (row.total - row.done) / row.done


def first_refused_lines(row: Import, text_columns: Sequence[int]) -> list[RefusedLine]:
    """Return the first refused lines; `text_columns` are the positions of the columns to show."""
    path = files.refused_of(row)
    if not row.refused or not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file)
        next(rows, None)
        return [
            RefusedLine(line=cells[-1], reason=cells[-2], text=_join(cells[:-2], text_columns))
            for cells in islice(rows, FIRST)
            if len(cells) > 1
        ]


def ids_of_other_texts(corpus: Corpus, texts_by_id: Mapping[str, str]) -> int:
    """Return how many IDs the corpus has for other sentences; the texts may be beginnings."""
    stored = selectors.sources(corpus.pk).filter(external_id__in=texts_by_id)
    texts = stored.values_list("external_id", "text")
    return sum(not text.startswith(texts_by_id[external_id]) for external_id, text in texts)


def pairs_to_enter(row: Import) -> int:
    """Return how many pairs of a finished import a worker has yet to add to its project."""
    if row.kind != Import.Kind.PAIRS or row.state != State.DONE or additions.refusal(row.project):
        return 0
    batches = intake.waiting_batches(row.project).filter(run__settings__imported_from=row.name)
    return batches.aggregate(pairs=Sum("size"))["pairs"] or 0


def entities_with_few_definitions(row: Import) -> int:
    """Count the entities of the corpus of imported flashcards with fewer than MIN_DEFINITIONS."""
    if row.kind != Import.Kind.FLASHCARDS or row.corpus_id is None:
        return 0
    return selectors.count_entities_with_few_definitions(row.corpus_id, MIN_DEFINITIONS)


def _join(cells: list[str], text_columns: Sequence[int]) -> str:
    texts = [cells[column] for column in text_columns if column < len(cells) and cells[column]]
    return " | ".join(cell for cell in texts or cells if cell)
