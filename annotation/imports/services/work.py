"""Reads and imports uploaded files: one worker at a time has an import.

An import stores a chunk of lines in each transaction, with its counts and its refused lines, so
that nothing is lost or doubled if a worker dies. Another one continues after the last stored chunk.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeAlias, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Case, QuerySet, When
from django.utils import timezone

from accounts import events
from accounts.models import Event
from annotation.errors import AnnotationError
from annotation.imports import compression, detection, files, tables
from annotation.imports.kinds import KINDS
from annotation.imports.lines import make_lines, values_of
from annotation.imports.previews import Preview, store_beginning
from annotation.imports.records import SECONDS_OF_PREVIEW, Problem, UnreadableTable
from annotation.imports.services.journal import Journal, LostImport, held_row
from annotation.imports.tables import Layout, Table
from annotation.model_judgments import services as model_judgments
from annotation.models import Import
from annotation.pairs.services import intake
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.quality.services import gold_pairs, qualification
from annotation.runs import services as runs
from common.leases import Progress, Work
from common.outages import Retry
from generation.flashcards import terms_of
from generation.models import Corpus
from generation.selectors import sources
from generation.services.flashcards import import_flashcards
from generation.services.imported_pairs import import_candidates
from generation.services.sentences import Handling, import_sentences

Kind, State = Import.Kind, Import.State
Lines: TypeAlias = Iterator[Any]
Columns: TypeAlias = dict[str, Any]  # to store with the end of the import
# Of larger files, and in larger corpora, near-duplicates are not marked.
MOST_COMPARED_BYTES, MOST_COMPARED = 100_000_000, 1_000_000
HOPELESS = (ValueError, ValidationError, AnnotationError)
GONE = "The uploaded file is no longer on the server. Upload it again."
Line = TypeVar("Line")


def report_progress(
    lines: Iterator[Line], progress: Progress, position: Any, *, every: int = 500
) -> Any:
    """Yield the lines; report how far the table has been read."""
    for number, line in enumerate(lines):
        if number % every == 0:
            progress.done = position()
        yield line


def _act(row: Import, progress: Progress) -> dict[str, Any]:
    """Read the beginning of a file that has no preview yet; import a draft that was started."""
    path = files.data_of(row)
    if not path.exists():
        raise ValueError(GONE)
    if row.preview is None:
        return read_beginning(row)
    held_row(row).update(started_at=timezone.now())
    try:
        with tables.open_table(path, Layout.from_dict(row.layout)) as table:
            progress.begin("lines", table.total)
            with Journal(row, files.refused_of(row), table.header) as journal:
                lines = report_progress(_lines(row, table, journal), progress, lambda: table.done)
                columns = STORE[row.kind](row, lines, journal) or {}
    except LostImport:
        return {}
    return {"state": State.DONE, "finished_at": timezone.now()} | columns


def _lines(row: Import, table: Table, journal: Journal) -> Lines:
    """Return what the kind makes of the records, or their refusals."""
    lines = values_of(journal.keep_all(table.records), row.columns)
    return make_lines(lines, KINDS[row.kind].maker(row.project.scheme))


def _corpus(row: Import) -> Corpus:
    if row.corpus is None:
        raise ValueError("The corpus was deleted. Upload the file again and choose another corpus.")
    return row.corpus


def _sentences(row: Import, lines: Lines, journal: Journal) -> None:
    corpus = _corpus(row)
    compared = Handling.COUNT if is_compared(row) else Handling.OFF
    import_sentences(
        journal.resume(lines), corpus=corpus, near_duplicates=compared, follower=journal
    )


def _flashcards(row: Import, lines: Lines, journal: Journal) -> None:
    terms = terms_of(row.options.get("terms", ""))
    import_flashcards(journal.resume(lines), corpus=_corpus(row), terms=terms, follower=journal)


def is_compared(row: Import) -> bool:
    """Return whether near-duplicates are marked: their index is held in memory as a whole."""
    if row.size > MOST_COMPARED_BYTES:
        return False
    return row.corpus is None or not sources(row.corpus.pk)[MOST_COMPARED:].exists()


def _pairs(row: Import, lines: Lines, journal: Journal) -> Columns | None:
    """Import pairs as candidates of the project, and their labels as model judgments."""
    origin = row.options.get("origin") or row.name
    labels = ImportedLabels(row.project) if "label" in row.columns else None
    if labels:
        labels.check(origin=origin)
    collected = labels.collected(lines) if labels else lines
    import_candidates(
        journal.resume(collected),
        corpus=_corpus(row),
        origin=row.name,
        on_run=partial(runs.adopt, row.project),
        follower=journal,
    )
    if labels is None:
        return None
    intake.take_in(row.project)
    labels.store(origin=origin, note=f"Column label of {row.name}", by=row.created_by)
    return _refused_labels(row, labels, journal) if labels.not_stored else None


def _refused_labels(row: Import, labels: ImportedLabels, journal: Journal) -> Columns:
    """Write the lines whose labels were not stored. They are read again: most are not kept."""
    with tables.open_table(files.data_of(row), Layout.from_dict(row.layout)) as table:
        return journal.write_late_refusals(table.records, labels.not_stored)


def _gold_pairs(row: Import, lines: Lines, journal: Journal) -> None:
    gold_pairs.add(row.project, journal.resume(lines), by=row.created_by, follower=journal)


def _qualification(row: Import, lines: Lines, journal: Journal) -> None:
    unstored = journal.resume(lines)
    qualification.add_lines(row.project, unstored, by=row.created_by, follower=journal)


def _model_judgments(row: Import, lines: Lines, journal: Journal) -> None:
    about = {name: row.options.get(name, "") for name in ("name", "revision", "note")}
    unstored = journal.resume(lines)
    model_judgments.add(row.project, **about, lines=unstored, by=row.created_by, follower=journal)


STORE: dict[str, Callable[[Import, Lines, Journal], Columns | None]] = {
    Kind.SENTENCES: _sentences,
    Kind.FLASHCARDS: _flashcards,
    Kind.PAIRS: _pairs,
    Kind.GOLD_PAIRS: _gold_pairs,
    Kind.QUALIFICATION: _qualification,
    Kind.MODEL_JUDGMENTS: _model_judgments,
}


class ImportWork(Work[Import]):
    def pending(self, now: datetime) -> QuerySet[Import]:
        # Files that wait for their preview come first, because people wait for it.
        unread_first = Case(When(preview__isnull=True, then=0), default=1)
        return Work.pending(self, now).order_by(unread_first, "pk")

    def finish(self, row: Import, **result: Any) -> bool:
        with transaction.atomic():
            is_stored = Work.finish(self, row, **result)
            if is_stored and result.get("state") == State.DONE:
                events.record(Event.Kind.IMPORT_DONE, row)
        return is_stored

    def attempt(self, row: Import, *, patience: Retry | None = None, **options: Any) -> bool:
        is_done = Work.attempt(self, row, patience=patience, **options)
        if is_done and row.preview is not None:
            files.remove_data(row)
        return is_done


IMPORTS = ImportWork(
    kind="import",
    model=Import,
    title=lambda row: str(row.project),
    act=_act,
    named=lambda row: {"import": str(row.public_id)},
    waiting_state=State.QUEUED,
    running_state=State.RUNNING,
    failed_state=State.FAILED,
    lost="Three workers died over this import.",
    hopeless=HOPELESS,
)


def read_beginning(row: Import) -> dict[str, Any]:
    """Return the values to store with a draft; the preview of a file that is no table says why."""
    try:
        return {"state": Import.State.DRAFT} | _draft_values(row)
    except UnreadableTable as error:
        preview = Preview.of_problem(error).to_dict()
        return {"state": Import.State.DRAFT, "preview": preview, "columns": {}}


def _draft_values(row: Import) -> dict[str, Any]:
    path, kind = files.data_of(row), KINDS[row.kind]
    size = compression.unpacked_size(path, most=min(compression.MOST_UNPACKED, kind.most_bytes))
    if row.layout:
        layout = Layout.from_dict(row.layout)
    else:
        layout = detection.layout_of(path, row.name.casefold(), kind.fields)
    with tables.open_table(path, layout, seconds=SECONDS_OF_PREVIEW) as table:
        if not layout.sheet and table.sheets:
            layout = replace(layout, sheet=table.sheets[0])
        preview = Preview.of_table(table)
        if not table.sample:  # the layout stays: a row may have been taken for column names
            preview = replace(preview, problem=Problem.NO_ROWS)
        total = store_beginning(table.records, files.beginning_of(row))
        return {
            "size": size,
            "layout": layout.to_dict(),
            "columns": row.columns or detection.columns_of(table, kind.fields),
            "preview": replace(preview, total=total).to_dict(),
        }
