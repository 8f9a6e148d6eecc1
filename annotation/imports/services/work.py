"""Imports uploaded files, one chunk of lines a transaction: one worker at a time has an import.

A chunk, its counts and its refused lines are stored together, so that nothing is lost or doubled
if a worker dies. Another one continues after the last stored chunk.
"""

import csv
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from annotation.errors import AnnotationError
from annotation.imports import files, tables
from annotation.imports.kinds import KINDS
from annotation.imports.reasons import in_words
from annotation.imports.records import TableRecord
from annotation.imports.selectors import waiting
from annotation.imports.tables import LINE, REASON, Layout, Table
from annotation.model_judgments import services as model_judgments
from annotation.models import Import
from annotation.pairs.labelled_lines import BadLine, GoldPair
from annotation.pairs.services import intake
from annotation.pairs.services.imported_labels import ImportedLabels
from annotation.projects.services import runs
from annotation.quality.services import gold_pairs, qualification
from common.leases import Progress, Work
from common.outages import Retry
from common.spreadsheets import BYTE_ORDER_MARK, escaped
from generation.models import Corpus
from generation.nlp.text import RefusedText
from generation.records import Refusal, RefusedLine, Report
from generation.selectors import sources
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
# In characters; of longer lines only the beginning is kept.
MOST_KEPT = 20_000


class LostImport(AnnotationError):
    """Another worker has the import, or it was cancelled."""


class Journal:
    """Follows an import whose earlier chunks may have been stored by a worker that died.

    The file of refused lines is cut where the last stored chunk ended.
    """

    def __init__(self, row: Import, path: Path, header: list[str]) -> None:
        self.row, self.header = row, header
        self.before = (row.read, row.added, row.duplicates, Counter(row.refused))
        self.cells: dict[int, list[str]] = {}
        self.file = path.open("a", encoding="utf-8", newline="")
        self.file.truncate(row.refused_bytes)
        self.writer = csv.writer(self.file)
        if not row.refused_bytes:
            self.file.write(BYTE_ORDER_MARK)
            self.writer.writerow([*header, REASON, LINE])

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_error: object) -> None:
        self.file.close()

    def keep(self, number: int, cells: list[str]) -> None:
        """Keep the cells of a line until its chunk is stored, in case it is refused."""
        fits = sum(map(len, cells)) <= MOST_KEPT
        self.cells[number] = cells if fits else [cell[:200] for cell in cells]

    def refused(self, line: int, reason: str) -> None:
        """Write a refused line with its reason in words."""
        cells = self.cells.get(line, [])
        padded = [*cells, *[""] * len(self.header)][: len(self.header)]
        safe = [escaped(_writable(cell)) for cell in padded]
        self.writer.writerow([*safe, in_words(reason), line])

    def stored(self, report: Report) -> None:
        """Store the counts, in the transaction of the chunk. Raises LostImport."""
        size = self._synced()
        read, added, duplicates, refused = self.before
        counts: dict[str, Any] = {
            "read": read + report.read,
            "added": added + report.added,
            "duplicates": duplicates + report.duplicates,
            "refused": dict(refused + report.refused),
            "refused_bytes": size,
        }
        if not held(self.row).update(**counts):
            raise LostImport("The import was cancelled, or another worker has it.")
        self.cells.clear()

    def later(self, records: Iterable[TableRecord], reasons: Mapping[int, str]) -> dict[str, Any]:
        """Write lines that are refused once all chunks are stored, if they are not written yet.

        Returns the columns to store with the end of the import: if a worker dies before that, the
        next one cuts these lines off and writes them again.
        """
        written, further = self._written(), Counter[str]()
        for record in records:
            if record.number in reasons and record.number not in written:
                self.keep(record.number, record.cells)
                self.refused(record.number, reasons[record.number])
                del self.cells[record.number]
                further[str(reasons[record.number])] += 1
        self.row.refresh_from_db(fields=["refused"])
        return {
            "refused": dict(Counter(self.row.refused) + further),
            "refused_bytes": self._synced(),
        }

    def _written(self) -> set[int]:
        """Return the numbers of the lines in the file."""
        self.file.flush()
        with Path(self.file.name).open(encoding="utf-8-sig", newline="") as file:
            return {int(cells[-1]) for cells in islice(csv.reader(file), 1, None)}

    def _synced(self) -> int:
        """Return the size of the file, which is on disk then."""
        self.file.flush()
        os.fsync(self.file.fileno())
        return os.fstat(self.file.fileno()).st_size

    def left(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Yield the lines after those that are stored already."""
        for number, line in enumerate(lines):
            if number >= self.before[0]:
                yield line


def held(row: Import) -> Any:
    """Return a query for the import, if this attempt still holds it."""
    state = Import.State.RUNNING
    return Import.objects.filter(pk=row.pk, state=state, attempts=row.attempts)


def following(lines: Iterator[Line], progress: Progress, done: Any, *, every: int = 500) -> Any:
    """Yield the lines; report how far the table has been read."""
    for number, line in enumerate(lines):
        if number % every == 0:
            progress.done = done()
        yield line


def _writable(text: str) -> str:
    """Return the text without what no file in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode().replace("\0", "�")


def _act(row: Import, progress: Progress) -> dict[str, Any]:
    held(row).update(started_at=timezone.now())
    path = files.data_of(row)
    if not path.exists():
        raise ValueError(GONE)
    try:
        with tables.opened(path, Layout.from_dict(row.layout)) as table:
            progress.begin("lines", table.total)
            with Journal(row, files.refused_of(row), table.header) as journal:
                lines = following(_lines(row, table, journal), progress, lambda: table.done)
                further = STORE[row.kind](row, lines, journal) or {}
    except LostImport:
        return {}
    return {"state": State.DONE, "finished_at": timezone.now()} | further


def _lines(row: Import, table: Table, journal: Journal) -> Lines:
    """Yield what the kind makes of each record, or its refusal."""
    make, max_label = KINDS[row.kind].make, row.project.max_label
    columns = {name: place for name, place in row.columns.items() if name in _names(row)}
    for record in table.records:
        journal.keep(record.number, record.cells)
        if record.fault:
            yield Refusal(record.number, record.fault)
            continue
        values = {
            name: record.cells[place] if place < len(record.cells) else ""
            for name, place in columns.items()
        }
        try:
            yield make(record.number, values, max_label)
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(record.number, refused.reason)


def _names(row: Import) -> set[str]:
    return {field.name for field in KINDS[row.kind].fields}


def _corpus(row: Import) -> Corpus:
    if row.corpus is None:
        raise ValueError("The corpus was deleted. Upload the file again and choose another corpus.")
    return row.corpus


def _sentences(row: Import, lines: Lines, journal: Journal) -> None:
    corpus = _corpus(row)
    compared = Handling.COUNT if is_compared(row) else Handling.OFF
    import_sentences(journal.left(lines), corpus=corpus, near_duplicates=compared, follower=journal)


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
        journal.left(collected),
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
    with tables.opened(files.data_of(row), Layout.from_dict(row.layout)) as table:
        return journal.later(table.records, labels.not_stored)


def _gold_pairs(row: Import, lines: Lines, journal: Journal) -> None:
    given = (_refusable(line) for line in journal.left(lines))
    gold_pairs.add(row.project, given, by=row.created_by, follower=journal)


@transaction.atomic
def _qualification(row: Import, lines: Lines, journal: Journal) -> None:
    report = Report(follower=journal)
    given: list[GoldPair] = list(report.readable(journal.left(lines)))
    report.added, report.duplicates = qualification.add(row.project, given, by=row.created_by)
    report.stored()


def _model_judgments(row: Import, lines: Lines, journal: Journal) -> None:
    who = {name: row.options.get(name, "") for name in ("name", "revision", "note")}
    given = (_refusable(line) for line in journal.left(lines))
    model_judgments.add(row.project, **who, lines=given, by=row.created_by, follower=journal)


def _refusable(line: Any) -> Any:
    return BadLine(line.line, line.reason, "") if isinstance(line, Refusal) else line


STORE: dict[str, Callable[[Import, Lines, Journal], Columns | None]] = {
    Kind.SENTENCES: _sentences,
    Kind.PAIRS: _pairs,
    Kind.GOLD_PAIRS: _gold_pairs,
    Kind.QUALIFICATION: _qualification,
    Kind.MODEL_JUDGMENTS: _model_judgments,
}
IMPORTS = Work(
    pending=waiting,
    act=_act,
    named=lambda row: {"import": str(row.public_id)},
    waits=State.QUEUED,
    goes_on=State.RUNNING,
    failed=State.FAILED,
    lost="Three workers died over this import.",
    hopeless=HOPELESS,
)


def import_next(*, patience: Retry | None = None) -> bool:
    """Do the oldest pending import. Return whether there was one that succeeded."""
    patience = patience or Retry()
    row = patience(IMPORTS.claim)
    if row is None or not IMPORTS.attempt(row, patience=patience):
        return False
    files.remove_data(row)
    return True
