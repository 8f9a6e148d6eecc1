"""Reads tables record by record, in bounded memory: text, CSV, JSON, Excel and Parquet.

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
from typing import IO, Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.imports import compression, object_lists
from annotation.imports import records as formats
from annotation.imports.object_lists import Line
from annotation.imports.records import (
    MAX_COLUMNS,
    MAX_RECORD,
    SECONDS,
    JsonLine,
    Problem,
    TableFault,
    TableRecord,
    UnreadableTable,
    new_record,
    skip_empty_rows,
)
from common.formulas import unescape

SAMPLED = 100
# The last columns of a file of refused lines: their cells were escaped for spreadsheets.
REASON, LINE = "pawsmith_reason", "pawsmith_line"
DELIMITERS = (",", ";", "\t", "|")
# What `_errors` leaves of undecodable bytes.
REPLACED, UNDECODED = re.compile("\ufffd"), re.compile("[\udc80-\udcff]")
# A cell with more lines than this has a quotation mark that was not closed.
MOST_LINES = 50
MAGIC_OF_PARQUET = b"PAR1"
# Of a Parquet file, in memory at a time.
ROWS_AT_ONCE = 5_000


class Shape(StrEnum):
    """The format of a table."""

    TXT = "txt"
    CSV = "csv"
    JSONL = "jsonl"
    JSON = "json"
    XLSX = "xlsx"
    PARQUET = "parquet"  # by command; uploads are refused, because a small one can be huge


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read a file; `delimiter` and `quoted` count for CSV, and `sheet` for Excel.

    `quoted` says whether cells may have quotation marks around them; None: unless tabs separate
    them.
    """

    shape: Shape
    encoding: str = "utf-8"
    delimiter: str = ","
    has_header: bool = True
    sheet: str = ""
    quoted: bool | None = None

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Layout":
        return cls(**values | {"shape": Shape(values["shape"])})

    def to_dict(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}


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
            yield _table_of_records(
                layout, skip_empty_rows(book.records()), book, sheets=book.sheets
            )
        return
    if layout.shape is Shape.PARQUET:
        parquet = _open_parquet(path)
        with parquet.file:
            yield _object_table(layout, _parquet_lines(parquet), parquet)
        return
    with path.open("rb") as raw:
        errors = _errors(layout.encoding)
        stream = compression.content(raw)
        text = TextIOWrapper(stream, encoding=layout.encoding, errors=errors, newline="")
        position = _Position(raw, path.stat().st_size)
        if layout.shape is Shape.JSONL:
            yield _object_table(layout, formats.parse_json_lines(_lines(text)), position)
        elif layout.shape is Shape.JSON:
            objects = formats.parse_json_lines(object_lists.lines(text))
            yield _object_table(layout, objects, position)
        else:
            yield _table_of_records(layout, skip_empty_rows(_rows(text, layout)), position)


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


def _table_of_records(
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
    all_records = _unescape_records(header, chain(records_read, records))
    return Table(
        layout, header, all_records, source.total, source, records_read[:SAMPLED], sheets or []
    )


def _unescape_records(header: list[str], records: Iterator[TableRecord]) -> Iterator[TableRecord]:
    """Undo what makes a file of refused lines safe to open, when it comes back."""
    if REASON not in header:
        return records
    return (
        TableRecord(record.number, [unescape(cell) for cell in record.cells], record.fault)
        for record in records
    )


def _object_table(layout: Layout, lines: Iterator[JsonLine], source: Any) -> Table:
    objects = skip_empty_rows(lines)
    objects_read = list(islice(objects, SAMPLED))
    header = formats.keys(objects_read)
    if len(header) > MAX_COLUMNS:
        raise UnreadableTable(Problem.TOO_WIDE, most=MAX_COLUMNS)
    sample = [formats.to_table_record(line, header) for line in objects_read]
    further_records = (formats.to_table_record(line, header) for line in objects)
    records = _unescape_records(header, chain(sample, further_records))
    return Table(layout, header, records, source.total, source, sample)


@dataclass(slots=True)
class _Parquet:
    """How far a file has been read, in rows."""

    file: pq.ParquetFile
    total: int
    done: int = 0

    def tell(self) -> int:
        return self.done


def is_parquet(path: Path) -> bool:
    """Return whether a file is Parquet, or says that it is."""
    with path.open("rb") as file:
        return (
            file.read(len(MAGIC_OF_PARQUET)) == MAGIC_OF_PARQUET
            or path.suffix.casefold() == ".parquet"
        )


def _open_parquet(path: Path) -> _Parquet:
    try:
        file = pq.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        raise UnreadableTable(Problem.NOT_PARQUET) from error
    return _Parquet(file, file.metadata.num_rows)


def _parquet_lines(source: _Parquet) -> Iterator[JsonLine]:
    names, batches = source.file.schema_arrow.names, source.file.iter_batches(ROWS_AT_ONCE)
    while True:
        try:
            batch = next(batches, None)
            columns = [column.to_pylist() for column in batch.columns] if batch else []
        except (pa.ArrowException, OSError, UnicodeError) as error:
            raise UnreadableTable(Problem.NOT_PARQUET) from error
        if not columns:
            return
        for values in zip(*columns, strict=True):
            source.done += 1
            yield JsonLine(source.done, "row", dict(zip(names, values, strict=True)))


def _lines(text: TextIOWrapper) -> Iterator[Line]:
    """Yield number, text and whether it is the whole line; none is held beyond MAX_RECORD."""
    number = 0
    try:
        while line := text.readline(MAX_RECORD):
            number += 1
            if number == 1:
                line = line.removeprefix("\ufeff")
            yield number, line, len(line) < MAX_RECORD or _is_line_end(line) or not _skip_rest(text)
    except UnicodeError as error:
        raise UnreadableTable(Problem.ENCODING, line=number) from error


def _is_line_end(line: str) -> bool:
    return len(line) < MAX_RECORD or line.endswith(("\n", "\r"))


def _skip_rest(text: TextIOWrapper) -> bool:
    """Read to the end of the line; return whether there was anything to read."""
    rest = text.readline(MAX_RECORD)
    has_more = bool(rest.strip())
    while not _is_line_end(rest):
        rest = text.readline(MAX_RECORD)
    return has_more


def _rows(text: TextIOWrapper, layout: Layout) -> Iterator[TableRecord]:
    """Yield the rows, each with the number of its first line; all are as wide as the first one.

    If a quotation mark is not closed where it should be, this yields each line that the row
    swallowed, so that people see how many lines there are and get them back.
    """
    broken = REPLACED if layout.encoding.startswith("utf-16") else UNDECODED
    lines, row, width = _lines(text), list[Line](), 0
    rows = _split(lines, row, layout)
    while True:
        row.clear()
        try:
            cells = next(rows)
        except StopIteration:
            return
        except csv.Error:
            yield from _unclosed_records(row)
            rows = _split(lines, row, layout)
            continue
        number, content, is_whole = row[0]
        is_odd = 0 < width != len(cells) and any(map(str.strip, cells))
        if len(row) > 1:
            if is_odd or len(row) > MOST_LINES or _has_stray_quote(row, layout):
                yield from _unclosed_records(row)
                continue
            content, is_whole = "".join(cells), all(line[2] for line in row)
        width = width or (len(cells) if any(map(str.strip, cells)) else 0)
        fault = TableFault.WRONG_COLUMNS if is_odd else None
        if not is_whole:
            cells, fault = [cell[:1000] for cell in cells], TableFault.TOO_LONG
        elif not content.isascii() and broken.search(content):
            fault = TableFault.BROKEN_TEXT
        yield new_record((number, cells, fault))


def _split(lines: Iterator[Line], row: list[Line], layout: Layout) -> Iterator[list[str]]:
    """Yield the cells of rows, with their lines in `row`, which the caller empties.

    Raises csv.Error.
    """
    is_quoted = layout.delimiter != "\t" if layout.quoted is None else layout.quoted
    if layout.shape is Shape.CSV and is_quoted:
        yield from csv.reader(_feed_lines(lines, row), delimiter=layout.delimiter)
        return
    separator = layout.delimiter if layout.shape is Shape.CSV else "\n"  # no line has one inside
    for line in lines:
        row.append(line)
        yield line[1].rstrip("\r\n").split(separator)


def _has_stray_quote(lines: list[Line], layout: Layout) -> bool:
    """Return whether a cell continues after its quotation: the mark may belong to a later row."""
    reader = csv.reader((line[1] for line in lines), delimiter=layout.delimiter, strict=True)
    try:
        list(reader)
    except csv.Error:
        return True
    return False


def _feed_lines(lines: Iterator[Line], row: list[Line]) -> Iterator[str]:
    """Yield the texts of lines, and add the lines to `row`, which is emptied after each row.

    Raises csv.Error in a row of more than MAX_RECORD characters, and in one without an end.
    """
    size = 0
    for line in lines:
        row.append(line)
        size += len(line[1])
        yield line[1]
        if not row:
            size = 0
        elif size > MAX_RECORD:
            raise csv.Error
    if row:
        raise csv.Error


def _unclosed_records(lines: list[Line]) -> Iterator[TableRecord]:
    fault = TableFault.UNCLOSED
    for number, text, _is_whole in lines:
        yield TableRecord(number, [text.strip()[:1000]], fault)
        fault = TableFault.SWALLOWED
