"""The records of uploaded tables, what may be wrong with them, and how they are read.

JSON Lines have one object on each line, with texts or numbers as values. A JSON list or object
has such objects too (`object_lists.py`). A separate process reads Excel workbooks (.xlsx), see
`workbook.py`.
"""

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from common import bounded_json
from common.marked import gettext_noop as _

MAX_COLUMNS = 200
# In characters: longer lines are refused, and never held in memory.
MAX_RECORD = 100_000
# More empty rows than this, one after the other, are an error and not a gap between records.
MOST_EMPTY = 10_000
# The largest sizes in an unpacked workbook, in bytes: of all parts; of the texts that cells share,
# which are kept in memory; of any other part that is no sheet, such as styles.
MOST_UNPACKED, MOST_SHARED, MOST_OF_PART = 400_000_000, 60_000_000, 1_000_000
# Limits on reading a workbook, in seconds of a processor and in bytes of memory. A preview reads
# only the first records.
SECONDS, SECONDS_OF_PREVIEW, MEMORY = 600, 30, 1_000_000_000
PROGRAM = Path(__file__).with_name("workbook.py")


class TableFault(StrEnum):
    """Why a line of a table was refused, whatever it was to become."""

    TOO_LONG = "record_too_long"
    BROKEN_TEXT = "broken_text"
    UNCLOSED = "unclosed_quotation"
    SWALLOWED = "within_unclosed_quotation"
    WRONG_COLUMNS = "other_number_of_columns"
    BAD_JSON = "bad_json"
    NOT_AN_OBJECT = "not_an_object"
    NOT_A_STRING = "not_a_string"
    NOT_A_NUMBER = "not_a_number"
    REPEATED_NAME = "repeated_name"
    FORMULA_ERROR = "formula_error"
    NO_RESULT = "formula_without_result"


class Problem(StrEnum):
    """Why a file as a whole cannot be read."""

    EMPTY = "empty"
    NO_ROWS = "no_rows"
    OLD_EXCEL = "old_excel"
    COMPRESSED = "compressed"
    DAMAGED = "damaged"
    PACKED_TOO_LARGE = "packed_too_large"
    NEEDS_MEMORY = "needs_memory"
    NOT_TEXT = "not_text"
    ENCODING = "encoding"
    TOO_WIDE = "too_wide"
    EMPTY_ROWS = "empty_rows"
    MISSING_COLUMNS = "missing_columns"
    REPEATED_COLUMN = "repeated_column"
    NOT_A_LIST = "not_a_list"
    LIST_TOO_LARGE = "list_too_large"
    NOT_EXCEL = "not_excel"
    BOOK_TOO_LARGE = "book_too_large"
    PART_TOO_LARGE = "part_too_large"
    BOOK_TOO_SLOW = "book_too_slow"
    NOT_PARQUET = "not_parquet"


PROBLEMS = {
    Problem.EMPTY: _("The file is empty."),
    Problem.NO_ROWS: _(
        "The file has no rows besides column names, so there is nothing to import. Add rows and "
        "upload it again, or change below how it is read."
    ),
    Problem.OLD_EXCEL: _(
        "This workbook is in the old Excel format (.xls). Save it as .xlsx or CSV."
    ),
    Problem.COMPRESSED: _("The file is compressed. Unpack it and upload its contents."),
    Problem.DAMAGED: _(
        "The file is damaged after %(bytes)s bytes of its content, so nothing of it was imported. "
        "Compress it again."
    ),
    Problem.PACKED_TOO_LARGE: _(
        "The file is too large once unpacked: the maximum is %(megabytes)s MB. Split it."
    ),
    Problem.NEEDS_MEMORY: _(
        "Unpacking the file would take more than %(megabytes)s MB of memory, so it was not read. "
        "Compress it again with one of the levels of xz (at most -9), or with gzip."
    ),
    Problem.NOT_TEXT: _(
        "This is not a text file. Upload text, CSV, JSON or an Excel workbook (.xlsx)."
    ),
    Problem.ENCODING: _(
        "After line %(line)s, the file is not in the chosen encoding. Choose another encoding."
    ),
    Problem.TOO_WIDE: _(
        "The file has more than %(most)s columns. Delete the columns that you don’t need "
        "and upload it again."
    ),
    Problem.EMPTY_ROWS: _(
        "More than %(rows)s rows up to row %(line)s are empty. Delete the empty rows, including "
        "their borders and colours, and upload the file again."
    ),
    Problem.MISSING_COLUMNS: _(
        "The first line must name a column %(missing)s; it names %(names)s. Rename the columns."
    ),
    Problem.REPEATED_COLUMN: _(
        "The file names the column %(name)s twice. Rename or delete one of them."
    ),
    Problem.NOT_A_LIST: _(
        "After object %(line)s, the file is not a JSON list [{…}, {…}]. Correct it there and "
        "upload it again."
    ),
    Problem.LIST_TOO_LARGE: _(
        "A JSON list has at most %(megabytes)s MB. Write one object on each line, without the "
        "brackets around them (JSON Lines), and upload that: jq -c '.[]' FILE >FILE.jsonl"
    ),
    Problem.NOT_EXCEL: _(
        "This is not an Excel workbook (.xlsx), or it is damaged. Save it again as .xlsx or as CSV."
    ),
    Problem.BOOK_TOO_LARGE: _(
        "The workbook is too large once unpacked. Save the sheet as CSV (UTF-8) and upload that."
    ),
    Problem.PART_TOO_LARGE: _(
        "The workbook has too many styles or names. Save the sheet as CSV (UTF-8) and upload that."
    ),
    Problem.BOOK_TOO_SLOW: _(
        "Reading the workbook takes too long. Save the sheet as CSV (UTF-8) and upload that."
    ),
    Problem.NOT_PARQUET: _("This is not a Parquet file, or it is damaged. Write it again."),
}


class UnreadableTable(ValueError):
    """The table as a whole cannot be read; the message says why and what to do.

    Pages translate it: `Preview.in_words`.
    """

    def __init__(self, problem: Problem, **values: int | str) -> None:
        self.problem, self.values = problem, values
        super().__init__(problem)

    def __str__(self) -> str:
        numbers = {name: f"{n:,}" for name, n in self.values.items() if not isinstance(n, str)}
        return PROBLEMS[self.problem] % (self.values | numbers)


class TableRecord(NamedTuple):
    """A line of a table, numbered from 1 as its file is; the fault is why it cannot be used."""

    number: int
    cells: list[str]
    fault: TableFault | None = None


# As TableRecord(number, cells, fault), whose __new__ is a Python function: it would take a quarter
# of the time of reading a file.
new_record: Callable[[tuple[int, list[str], TableFault | None]], TableRecord]
new_record = partial(tuple.__new__, TableRecord)


class Nested(str):
    """A list or an object in a cell, as JSON; a fault of its line only if the column is read."""


class JsonLine(NamedTuple):
    """A line with its object; the fault is why it has none."""

    number: int
    text: str
    values: dict[str, Any]
    fault: TableFault | None = None


Row = TypeVar("Row", TableRecord, JsonLine)


def parse_json_lines(lines: Iterator[tuple[int, str, bool]]) -> Iterator[JsonLine]:
    """Yield each line with its object, or with its fault; an empty line has no text."""
    for number, line, is_whole in lines:
        text = line.strip().removeprefix("\ufeff")
        if is_whole:
            yield JsonLine(number, text, *_parse_object(text))
        else:
            yield JsonLine(number, text[:1000], {}, TableFault.TOO_LONG)


def keys(lines: list[JsonLine]) -> list[str]:
    """Return the names of all members, in the order of their first appearance.

    After a member with objects that all have the same members come these: text, text.question1.
    """
    names = dict.fromkeys(key for line in lines for key in line.values)
    return [column for name in names for column in (name, *_dotted(name, lines))]


def _dotted(name: str, lines: list[JsonLine]) -> list[str]:
    objects = [value for line in lines if isinstance(value := line.values.get(name), dict)]
    names = {tuple(value) for value in objects}
    return [f"{name}.{member}" for member in names.pop()] if len(names) == 1 else []


def to_table_record(line: JsonLine, header: list[str]) -> TableRecord:
    """Return the values of the columns; of a line without an object, the line itself."""
    if line.fault:
        return TableRecord(line.number, [line.text], line.fault)
    members = line.values
    if dict in map(type, members.values()):
        objects = [(name, value) for name, value in members.items() if isinstance(value, dict)]
        dotted = {
            f"{name}.{key}": value for name, values in objects for key, value in values.items()
        }
        members = dotted | members
    cells = [value if type(value) is str else _text(value) for value in map(members.get, header)]
    is_nested = Nested in map(type, cells)
    return new_record((line.number, cells, TableFault.NOT_A_STRING if is_nested else None))


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return Nested(json.dumps(value, ensure_ascii=False))
    if value is None:
        return ""
    return str(int(value)) if isinstance(value, bool) else str(value)


def _parse_object(text: str) -> tuple[dict[str, Any], TableFault | None]:
    try:
        values = bounded_json.read_line(text) if text else {}
    except bounded_json.RepeatedName:
        return {}, TableFault.REPEATED_NAME
    except bounded_json.NoNumber:
        return {}, TableFault.NOT_A_NUMBER
    except (ValueError, RecursionError):
        return {}, TableFault.BAD_JSON
    if isinstance(values, dict):
        return values, None
    return {}, TableFault.NOT_AN_OBJECT


def skip_empty_rows(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows with a text or a fault. Raises UnreadableTable after MOST_EMPTY empty ones."""
    empty = 0
    for row in rows:
        if row.fault or any(map(str.strip, row[1])):  # the cells, or the letters of a JSON line
            empty = 0
            yield row
        elif (empty := empty + 1) > MOST_EMPTY:
            raise UnreadableTable(Problem.EMPTY_ROWS, rows=MOST_EMPTY, line=row.number)


@dataclass(slots=True)
class Book:
    """A sheet of a workbook that is being read, and the names of all sheets."""

    sheets: list[str]
    total: int
    messages: Iterator[Any]
    done: int = 0

    def tell(self) -> int:
        """How much of the sheet has been read, in bytes."""
        return self.done

    def records(self) -> Iterator[TableRecord]:
        """Yield the rows that the file has. Raises UnreadableTable."""
        for number, cells, fault, done in self.messages:
            self.done = done
            yield TableRecord(number, cells, TableFault(fault) if fault else None)


@contextmanager
def open_book(path: Path, sheet: str = "", *, seconds: int = SECONDS) -> Iterator[Book]:
    """Open a sheet of a workbook, by default the first. Raises UnreadableTable."""
    limits = {
        "seconds": seconds,
        "memory": MEMORY,
        "unpacked": MOST_UNPACKED,
        "shared": MOST_SHARED,
        "part": MOST_OF_PART,
        "columns": MAX_COLUMNS,
        "record": MAX_RECORD,
    }
    arguments = json.dumps({"path": str(path), "sheet": sheet, "limits": limits})
    # In a separate session, so that Ctrl+C reaches only the worker.
    process = subprocess.Popen(
        [sys.executable, "-I", PROGRAM, arguments],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        messages = _messages(process)
        head = next(messages)
        yield Book(head["sheets"], head["size"], messages)
    finally:
        process.kill()
        process.communicate()


def _messages(process: "subprocess.Popen[str]") -> Iterator[Any]:
    """Yield the messages of the process.

    Raises UnreadableTable if one reports a problem, or the process exceeds a limit.
    """
    for line in process.stdout or ():
        message = json.loads(line)
        if isinstance(message, dict) and "problem" in message:
            raise UnreadableTable(Problem(message["problem"]))
        yield message
    status = process.wait()
    if -status in {signal.SIGXCPU, signal.SIGKILL}:
        raise UnreadableTable(Problem.BOOK_TOO_SLOW)
    if status:
        raise RuntimeError(f"The program that reads workbooks ended with status {status}.")
