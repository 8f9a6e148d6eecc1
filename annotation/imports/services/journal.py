"""The journal of an import: the counts of stored chunks, and the file of refused lines."""

import csv
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from annotation.errors import AnnotationError
from annotation.imports.reasons import of_line
from annotation.imports.records import TableRecord
from annotation.imports.tables import LINE, REASON
from annotation.models import Import
from common.formulas import escape
from common.spreadsheets import BYTE_ORDER_MARK
from generation.records import Report

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

    def keep_all(self, records: Iterable[TableRecord]) -> Iterator[TableRecord]:
        for record in records:
            self.keep(record.number, record.cells)
            yield record

    def refused(self, line: int, reason: str) -> None:
        cells = self.cells.get(line, [])
        padded = [*cells, *[""] * len(self.header)][: len(self.header)]
        safe = [escape(_writable(cell)) for cell in padded]
        column = self.row.columns.get("label")
        label = "" if column is None else padded[column]
        self.writer.writerow([*safe, of_line(reason, label), line])

    def stored(self, report: Report) -> None:
        """Store the counts, in the transaction of the chunk. Raises LostImport."""
        size = self._sync()
        read, added, duplicates, refused = self.before
        counts: dict[str, Any] = {
            "read": read + report.read,
            "added": added + report.added,
            "duplicates": duplicates + report.duplicates,
            "refused": dict(refused + report.refused),
            "refused_bytes": size,
        }
        if not held_row(self.row).update(**counts):
            raise LostImport("The import was cancelled, or another worker has it.")
        self.cells.clear()

    def write_late_refusals(
        self, records: Iterable[TableRecord], reasons: Mapping[int, str]
    ) -> dict[str, Any]:
        """Write lines that are refused once all chunks are stored, if they are not written yet.

        Returns the columns to store with the end of the import: if a worker dies before that, the
        next one cuts these lines off and writes them again.
        """
        written, counts = self._written_numbers(), Counter[str]()
        for record in records:
            if record.number in reasons and record.number not in written:
                self.keep(record.number, record.cells)
                self.refused(record.number, reasons[record.number])
                del self.cells[record.number]
                counts[str(reasons[record.number])] += 1
        self.row.refresh_from_db(fields=["refused"])
        return {
            "refused": dict(Counter(self.row.refused) + counts),
            "refused_bytes": self._sync(),
        }

    def _written_numbers(self) -> set[int]:
        self.file.flush()
        with Path(self.file.name).open(encoding="utf-8-sig", newline="") as file:
            return {int(cells[-1]) for cells in islice(csv.reader(file), 1, None)}

    def _sync(self) -> int:
        """Return the size of the file, which is on disk then."""
        self.file.flush()
        os.fsync(self.file.fileno())
        return os.fstat(self.file.fileno()).st_size

    def resume(self, lines: Iterator[Line]) -> Iterator[Line]:
        """Yield the lines after those that are stored already."""
        for number, line in enumerate(lines):
            if number >= self.before[0]:
                yield line


def held_row(row: Import) -> Any:
    """Return a query for the import, if this attempt still holds it."""
    state = Import.State.RUNNING
    return Import.objects.filter(pk=row.pk, state=state, attempts=row.attempts)


def _writable(text: str) -> str:
    """Return the text without what no file in UTF-8 can hold."""
    return text.encode("utf-8", "replace").decode().replace("\0", "�")
