"""Reads uploaded tables record by record, in bounded memory: text, CSV, JSON and Excel.

Knows no database. `detection` finds the layout of a file; people can change it.
"""

import csv
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from io import TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from annotation.imports import compression, object_lists
from annotation.imports import records as formats
from annotation.imports.records import (
    MAX_COLUMNS,
    MAX_RECORD,
    SECONDS,
    Problem,
    TableFault,
    TableRecord,
    UnreadableTable,
    without_empty,
)
from common.spreadsheets import unescaped

SAMPLED = 100
# The last columns of a file of refused lines: their cells were escaped for spreadsheets.
REASON, LINE = "pawsmith_reason", "pawsmith_line"
DELIMITERS = (",", ";", "\t", "|")
# What `_errors` leaves of undecodable bytes.
REPLACED, UNDECODED = re.compile("\ufffd"), re.compile("[\udc80-\udcff]")
# A cell with more lines than this has a quotation mark that was not closed.
MOST_LINES = 50


class Shape(StrEnum):
    """The format of a table."""

    TXT = "txt"
    CSV = "csv"
    JSONL = "jsonl"
    JSON = "json"
    XLSX = "xlsx"


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read a file; `delimiter` counts for CSV, and `sheet` for Excel."""

    shape: Shape
    encoding: str = "utf-8"
    delimiter: str = ","
    has_header: bool = True
    sheet: str = ""

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Layout":
        return cls(**values | {"shape": Shape(values["shape"])})

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class Table:
    """An open table: its columns and records. `done` of `total` says how far it has been read."""

    layout: Layout
    header: list[str]
    records: Iterator[TableRecord]
    total: int
    source: Any
    sample: list[TableRecord] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)

    def place_of(self, name: str) -> int:
        """Return the column of members of this name, new if the first objects have none."""
        if name not in self.header:
            self.header.append(name)
        return self.header.index(name)

    @property
    def done(self) -> int:
        """Bytes of a text, or rows of a sheet, that have been read."""
        return min(int(self.source.tell()), self.total)


@contextmanager
def open_table(path: Path, layout: Layout, *, seconds: int = SECONDS) -> Iterator[Table]:
    """Open a table. `sample` are its first records, which `records` yields too.

    A workbook may take the seconds of a processor. Raises UnreadableTable; reading may do so too.
    """
    if layout.shape is Shape.XLSX:
        with formats.open_book(path, layout.sheet, seconds=seconds) as book:
            yield _table(layout, without_empty(book.records()), book, sheets=book.sheets)
        return
    with path.open("rb") as raw:
        errors = _errors(layout.encoding)
        stream = compression.content(raw)
        text = TextIOWrapper(stream, encoding=layout.encoding, errors=errors, newline="")
        position = _Position(raw, path.stat().st_size)
        if layout.shape is Shape.JSONL:
            yield _json_table(layout, _lines(text), position)
        elif layout.shape is Shape.JSON:
            objects = object_lists.read(text)
            yield _json_table(layout, objects.lines(), objects)
        else:
            yield _table(layout, without_empty(_rows(text, layout)), position)


@dataclass(slots=True)
class _Position:
    """How far a file has been read, in bytes."""

    raw: IO[bytes]
    total: int

    def tell(self) -> int:
        return self.raw.tell()


def _errors(encoding: str) -> str:
    """Replacements for undecodable bytes: lone surrogates, or U+FFFD in UTF-16."""
    return "replace" if encoding.startswith("utf-16") else "surrogateescape"


def _table(
    layout: Layout, records: Iterator[TableRecord], source: Any, *, sheets: list[str] | None = None
) -> Table:
    records_read = list(islice(records, SAMPLED + 1))
    widest = max((len(record.cells) for record in records_read), default=0)
    if widest > MAX_COLUMNS:
        raise UnreadableTable(Problem.TOO_WIDE, most=MAX_COLUMNS)
    header = [str(n) for n in range(1, widest + 1)]
    if layout.has_header and layout.shape is not Shape.TXT and records_read:
        names, *records_read = records_read
        header = [name.strip() or str(n) for n, name in enumerate(names.cells, 1)]
    all_records = _unescaped(header, chain(records_read, records))
    return Table(
        layout, header, all_records, source.total, source, records_read[:SAMPLED], sheets or []
    )


def _unescaped(header: list[str], records: Iterator[TableRecord]) -> Iterator[TableRecord]:
    """Undo what makes a file of refused lines safe to open, when it comes back."""
    if REASON not in header:
        return records
    return (
        TableRecord(record.number, [unescaped(cell) for cell in record.cells], record.fault)
        for record in records
    )


def _json_table(layout: Layout, lines: Iterator[tuple[int, str, bool]], source: Any) -> Table:
    objects = without_empty(formats.numbered(lines))
    objects_read = list(islice(objects, SAMPLED))
    header = formats.keys(objects_read)
    if len(header) > MAX_COLUMNS:
        raise UnreadableTable(Problem.TOO_WIDE, most=MAX_COLUMNS)
    sample = [formats.record(line, header) for line in objects_read]
    later = (formats.record(line, header) for line in objects)
    records = _unescaped(header, chain(sample, later))
    return Table(layout, header, records, source.total, source, sample)


def _lines(text: TextIOWrapper) -> Iterator[tuple[int, str, bool]]:
    """Yield number, text and whether it is the whole line; none is held beyond MAX_RECORD."""
    number = 0
    try:
        while line := text.readline(MAX_RECORD):
            number += 1
            yield number, line, _ends(line) or not _skip_rest(text)
    except UnicodeError as error:
        raise UnreadableTable(Problem.ENCODING, line=number) from error


def _ends(line: str) -> bool:
    return len(line) < MAX_RECORD or line.endswith(("\n", "\r"))


def _skip_rest(text: TextIOWrapper) -> bool:
    """Read to the end of the line; return whether there was anything to read."""
    rest = text.readline(MAX_RECORD)
    has_more = bool(rest.strip())
    while not _ends(rest):
        rest = text.readline(MAX_RECORD)
    return has_more


def _rows(text: TextIOWrapper, layout: Layout) -> Iterator[TableRecord]:
    if layout.shape is Shape.TXT:
        return _rows_of_text(text, layout)
    return _rows_of_tsv(text, layout) if layout.delimiter == "\t" else _rows_of_csv(text, layout)


def _rows_of_text(
    text: TextIOWrapper, layout: Layout, *, separator: str = "\n"
) -> Iterator[TableRecord]:
    for number, line, is_whole in _lines(text):
        content = line.rstrip("\r\n").removeprefix("\ufeff" if number == 1 else "")
        yield _record(number, content.split(separator), is_whole=is_whole, layout=layout)


def _rows_of_tsv(text: TextIOWrapper, layout: Layout) -> Iterator[TableRecord]:
    """Yield a row for each line: cells between tabs have no quotation marks around them."""
    width = 0
    for record in _rows_of_text(text, layout, separator="\t"):
        if len(record.cells) == width or not any(map(str.strip, record.cells)):
            yield record
            continue
        is_odd = bool(width) and not record.fault
        width = width or len(record.cells)
        yield record._replace(fault=TableFault.WRONG_COLUMNS) if is_odd else record


def _rows_of_csv(text: TextIOWrapper, layout: Layout) -> Iterator[TableRecord]:
    """Yield the rows, each with the number of its first line; all are as wide as the first one.

    If a quotation mark is not closed where it should be, this yields each line that the row
    swallowed, so that people see how many lines there are and get them back.
    """
    feed, width = _LineFeed(_lines(text)), 0
    rows = csv.reader(feed, delimiter=layout.delimiter)
    while True:
        feed.begin()
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield from _unclosed(feed.lines)
            continue
        has_text = any(cell.strip() for cell in cells)
        is_odd = has_text and bool(width) and len(cells) != width
        if feed.is_over or (len(feed.lines) > 1 and is_odd) or len(feed.lines) > MOST_LINES:
            yield from _unclosed(feed.lines)
            continue
        width = width or (len(cells) if has_text else 0)
        is_whole = all(line.is_whole for line in feed.lines)
        record = _record(feed.lines[0].number, cells, is_whole=is_whole, layout=layout)
        is_odd = is_odd and not record.fault
        yield record._replace(fault=TableFault.WRONG_COLUMNS) if is_odd else record


class _Line(NamedTuple):
    number: int
    text: str
    is_whole: bool


@dataclass(slots=True)
class _LineFeed:
    """Feeds lines to a reader of rows, and keeps those of the row that it reads.

    Raises csv.Error in a row of more than MAX_RECORD characters.
    """

    source: Iterator[tuple[int, str, bool]]
    lines: list[_Line] = field(default_factory=list)
    size: int = 0
    is_over: bool = False

    def begin(self) -> None:
        self.lines.clear()
        self.size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if self.size > MAX_RECORD:
            raise csv.Error
        try:
            line = _Line(*next(self.source))
        except StopIteration:
            self.is_over = True
            raise
        self.lines.append(line)
        self.size += len(line.text)
        return line.text.removeprefix("\ufeff") if line.number == 1 else line.text


def _unclosed(lines: list[_Line]) -> Iterator[TableRecord]:
    fault = TableFault.UNCLOSED
    for number, text, _is_whole in lines:
        yield TableRecord(number, [text.strip()[:1000]], fault)
        fault = TableFault.SWALLOWED


def _record(number: int, cells: list[str], *, is_whole: bool, layout: Layout) -> TableRecord:
    if not is_whole:
        return TableRecord(number, [cell[:1000] for cell in cells], TableFault.TOO_LONG)
    if _is_broken("".join(cells), layout.encoding):
        return TableRecord(number, cells, TableFault.BROKEN_TEXT)
    return TableRecord(number, cells)


def _is_broken(text: str, encoding: str) -> bool:
    broken = REPLACED if encoding.startswith("utf-16") else UNDECODED
    return not text.isascii() and broken.search(text) is not None
