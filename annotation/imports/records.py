"""The records of uploaded tables, what may be wrong with them, and how they are read.

JSON Lines have one object on each line, with texts or numbers as values. Excel workbooks (.xlsx)
are read row by row, within limits that a hostile file cannot exceed.
"""

import json
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple
from xml.etree.ElementTree import ParseError

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from openpyxl import load_workbook
from openpyxl.cell.read_only import EMPTY_CELL
from openpyxl.utils.exceptions import InvalidFileException

MAX_COLUMNS = 200
# In characters: longer lines are refused, and never held in memory.
MAX_RECORD = 100_000
# What the parts of a workbook may take when unpacked, in bytes. All texts that cells share are held
# in memory while the workbook is read.
MOST_UNPACKED, MOST_SHARED = 400_000_000, 60_000_000
# Excel has no more rows.
LAST_ROW = 1_048_576
SHARED = "xl/sharedStrings.xml"
WORKBOOK = "xl/workbook.xml"
NOT_EXCEL = gettext_lazy(
    "This is not an Excel workbook (.xlsx), or it is damaged. Save it again as .xlsx or as CSV."
)
TOO_LARGE = gettext_lazy(
    "The workbook is too large once unpacked. Save the sheet as CSV (UTF-8) and upload that."
)
DAMAGE = (
    *(zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, ValueError, TypeError),
    *(OSError, EOFError, IndexError, AttributeError, NotImplementedError, RuntimeError),
)


class TableFault(StrEnum):
    """Why a line of a table was refused, whatever it was to become."""

    TOO_LONG = "record_too_long"
    BROKEN_TEXT = "broken_text"
    UNCLOSED = "unclosed_quotation"
    WRONG_COLUMNS = "other_number_of_columns"
    BAD_JSON = "bad_json"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_STRING = "not_a_string"
    FORMULA_ERROR = "formula_error"


class UnreadableTable(ValueError):
    """The table as a whole cannot be read; the message says why and what to do."""


class TooWide(UnreadableTable):
    """The table has more than MAX_COLUMNS columns."""

    def __init__(self) -> None:
        text = _(
            "The file has more than %(most)s columns. Delete the columns that you don’t need "
            "and upload it again."
        )
        super().__init__(text % {"most": MAX_COLUMNS})


@dataclass(frozen=True, slots=True)
class TableRecord:
    """A line of a table, numbered from 1 as its file is; the fault is why it cannot be used."""

    number: int
    cells: list[str]
    fault: TableFault | None = None


class JsonLine(NamedTuple):
    """A line with its object; the fault is why it has none."""

    number: int
    text: str
    values: dict[str, Any]
    fault: TableFault | None = None


def numbered(lines: Iterator[tuple[int, str, bool]]) -> Iterator[JsonLine]:
    """Yield each line that is not empty with its object, or with why it has none."""
    for number, line, is_whole in lines:
        text = line.strip().removeprefix("\ufeff")
        if not is_whole:
            yield JsonLine(number, text[:1000], {}, TableFault.TOO_LONG)
        elif text:
            yield _parsed(number, text)


def keys(lines: list[JsonLine]) -> list[str]:
    """Return the names of all members, in the order of their first appearance."""
    return list(dict.fromkeys(key for line in lines for key in line.values))


def record(line: JsonLine, header: list[str]) -> TableRecord:
    """Return the values of the columns; of a line without an object, the line itself."""
    if line.fault:
        return TableRecord(line.number, [line.text], line.fault)
    values = [line.values.get(name) for name in header]
    cells = ["" if value is None else _text(value) for value in values]
    is_nested = any(isinstance(value, dict | list) for value in values)
    return TableRecord(line.number, cells, TableFault.NOT_A_STRING if is_nested else None)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _parsed(number: int, text: str) -> JsonLine:
    try:
        # Numbers stay as they are written.
        values = json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return JsonLine(number, text, {}, TableFault.BAD_JSON)
    if not isinstance(values, dict):
        return JsonLine(number, text, {}, TableFault.NOT_AN_OBJECT)
    return JsonLine(number, text, values)


@dataclass(slots=True)
class Formulas:
    """The formulas of a sheet, opened for the first row that has no values."""

    path: Path
    sheet: str
    row: int = 0
    rows: Iterator[Any] | None = None
    file: IO[bytes] | None = None

    def are_in(self, number: int) -> bool:
        """Return whether the row has a formula; call it with increasing numbers."""
        if self.rows is None:
            self.file = self.path.open("rb")
            sheet = load_workbook(self.file, read_only=True, keep_links=False)[self.sheet]
            sheet.reset_dimensions()
            self.rows = sheet.iter_rows()
        row = next(islice(self.rows, number - self.row - 1, None), ())
        self.row = number
        return any(getattr(cell, "data_type", "") == "f" for cell in row)

    def close(self) -> None:
        if self.file is not None:
            self.file.close()


@dataclass(slots=True)
class Book:
    """A sheet of an open workbook, and the names of all sheets."""

    sheet: Any
    formulas: Formulas
    sheets: list[str]
    total: int
    row: int = 0

    def tell(self) -> int:
        """The number of the row that was read last."""
        return self.row

    def records(self) -> Iterator[TableRecord]:
        """Yield each row that is not empty. Raises UnreadableTable.

        A row of formulas that nothing has computed is not empty, but has no values.
        """
        try:
            for row in self.sheet.iter_rows():
                self.row += 1
                if self.row > LAST_ROW:
                    raise UnreadableTable(NOT_EXCEL)
                if any(cell.value is not None for cell in row):
                    yield _record(self.row, row)
                elif _has_cells(row) and self.formulas.are_in(self.row):
                    yield TableRecord(self.row, [])
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
        with closing(Formulas(path, chosen.title)) as formulas:
            yield Book(chosen, formulas, sheets, rows)


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


def _has_cells(row: Any) -> bool:
    """Return whether the file has a cell in this row, be it without a value."""
    return any(cell is not EMPTY_CELL for cell in row)


def _record(number: int, row: Any) -> TableRecord:
    cells = [_cell_text(cell.value) for cell in row]
    while cells and not cells[-1]:
        cells.pop()
    if len(cells) > MAX_COLUMNS:
        return TableRecord(number, cells[: MAX_COLUMNS + 1], TableFault.WRONG_COLUMNS)
    if sum(map(len, cells)) > MAX_RECORD:
        return TableRecord(number, [cell[:1000] for cell in cells], TableFault.TOO_LONG)
    is_error = any(getattr(cell, "data_type", "") == "e" for cell in row)
    return TableRecord(number, cells, TableFault.FORMULA_ERROR if is_error else None)


def _cell_text(value: object) -> str:
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
