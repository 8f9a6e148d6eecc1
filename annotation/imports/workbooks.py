"""Reads Excel workbooks (.xlsx) row by row, within limits that a hostile file cannot exceed."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from django.utils.translation import gettext_lazy as _
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from annotation.imports.records import (
    MAX_COLUMNS,
    MAX_RECORD,
    TableFault,
    TableRecord,
    UnreadableTable,
)

# What the parts of a workbook may take when unpacked, in bytes. All texts that cells share are held
# in memory while the workbook is read.
MOST_UNPACKED, MOST_SHARED = 400_000_000, 60_000_000
# Excel has no more rows.
LAST_ROW = 1_048_576
SHARED = "xl/sharedStrings.xml"
WORKBOOK = "xl/workbook.xml"
NOT_EXCEL = _(
    "This is not an Excel workbook (.xlsx), or it is damaged. Save it again as .xlsx or as CSV."
)
TOO_LARGE = _(
    "The workbook is too large once unpacked. Save the sheet as CSV (UTF-8) and upload that."
)
DAMAGE = (
    *(zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, ValueError, TypeError),
    *(OSError, EOFError, IndexError, AttributeError, NotImplementedError, RuntimeError),
)


@dataclass(slots=True)
class Book:
    """A sheet of an open workbook, and the names of all sheets."""

    sheet: Any
    sheets: list[str]
    total: int
    row: int = 0

    def tell(self) -> int:
        """The number of the row that was read last."""
        return self.row

    def records(self) -> Iterator[TableRecord]:
        """Yield each row that is not empty. Raises UnreadableTable."""
        try:
            for row in self.sheet.iter_rows():
                self.row += 1
                if self.row > LAST_ROW:
                    raise UnreadableTable(NOT_EXCEL)
                if any(cell.value is not None for cell in row):
                    yield _record(self.row, row)
        except UnreadableTable:
            raise
        except DAMAGE as error:
            raise UnreadableTable(NOT_EXCEL) from error


@contextmanager
def opened(path: Path, sheet: str = "") -> Iterator[Book]:
    """Open a sheet of a workbook, by default the first. Raises UnreadableTable."""
    _check_size(path)
    with path.open("rb") as file:  # not by its path, which has no extension
        try:
            book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except DAMAGE as error:
            raise UnreadableTable(NOT_EXCEL) from error
        sheets = [each.title for each in book.worksheets]
        if not sheets:
            raise UnreadableTable(NOT_EXCEL)
        chosen = book.worksheets[sheets.index(sheet) if sheet in sheets else 0]
        # Programs write wrong dimensions; without them, all rows are read.
        rows = min(chosen.max_row or 0, LAST_ROW)
        chosen.reset_dimensions()
        yield Book(chosen, sheets, rows)


def _check_size(path: Path) -> None:
    """Refuse what is no workbook, and what would take too much room when unpacked."""
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {part.filename: part.file_size for part in archive.infolist()}
    except DAMAGE as error:
        raise UnreadableTable(NOT_EXCEL) from error
    if WORKBOOK not in sizes:
        raise UnreadableTable(NOT_EXCEL)
    if sum(sizes.values()) > MOST_UNPACKED or sizes.get(SHARED, 0) > MOST_SHARED:
        raise UnreadableTable(TOO_LARGE)


def _record(number: int, row: Any) -> TableRecord:
    cells = [_text(cell.value) for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > MAX_COLUMNS:
        return TableRecord(number, cells[: MAX_COLUMNS + 1], TableFault.WRONG_COLUMNS)
    if sum(map(len, cells)) > MAX_RECORD:
        return TableRecord(number, [cell[:1000] for cell in cells], TableFault.TOO_LONG)
    is_error = any(getattr(cell, "data_type", "") == "e" for cell in row)
    return TableRecord(number, cells, TableFault.FORMULA_ERROR if is_error else None)


def _text(value: object) -> str:
    """Return the value of a cell as a person reads it; of a formula, its last result."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime) and value.time().isoformat() == "00:00:00":
        return value.date().isoformat()
    return value.isoformat() if isinstance(value, date) else str(value)
