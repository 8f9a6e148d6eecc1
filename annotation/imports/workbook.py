"""A program that reads one sheet of an Excel workbook, within limits that no file can exceed.

`records.py` runs it as a separate process and passes the limits: no parser of workbooks limits the
time and memory that a hostile file needs, but the operating system can limit those of a process.
The program imports no other module of Pawsmith, so that it starts fast.

It writes a line of JSON with the names of the sheets and the size of the chosen one, then one for
each row: its number, its cells, its fault, and how much of the sheet has been read. A line with a
`problem` is the last one.
"""

import json
import os
import resource
import sys
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import ParseError

from openpyxl.reader.excel import ExcelReader
from openpyxl.styles.stylesheet import apply_stylesheet
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet._reader import WorkSheetParser

# The processes that serve people come first.
NICE = 10
# Excel has no more rows.
LAST_ROW = 1_048_576
SHARED, WORKBOOK, SHEETS = "xl/sharedStrings.xml", "xl/workbook.xml", "xl/worksheets/"
# Parts that are read as a whole. A workbook also has pictures, which are not read.
READ_WHOLE = (".xml", ".rels")
DAMAGE = (
    *(zipfile.BadZipFile, InvalidFileException, ParseError, KeyError, ValueError, TypeError),
    *(OSError, EOFError, IndexError, AttributeError, NotImplementedError, RuntimeError),
)


class Unreadable(Exception):
    """The workbook cannot be read; the message is one of annotation.imports.records.Problem."""


class Parser(WorkSheetParser):
    """Yields only the cells that the file has for a row, and marks formulas without a result."""

    def parse_cell(self, element: Any) -> dict[str, Any]:
        cell: dict[str, Any] = super().parse_cell(element)
        if cell["value"] is None and element.find("{*}f") is not None:
            cell["data_type"] = "f"
        return cell


def lines(path: str, sheet: str, limits: Mapping[str, int]) -> Iterator[object]:
    """Yield the messages of the program. Raises Unreadable, and the errors of DAMAGE."""
    with Path(path).open("rb") as file:  # not by its path, which has no extension
        _check_sizes(file, limits)
        reader = ExcelReader(file, read_only=True, data_only=True, keep_links=False)
        reader.read_manifest()
        reader.read_strings()
        reader.read_workbook()
        apply_stylesheet(reader.archive, reader.wb)
        parts = {
            worksheet.name: relation.target
            for worksheet, relation in reader.parser.find_sheets()
            if relation.target in reader.valid_files and "chartsheet" not in relation.Type
        }
        if not parts:
            raise Unreadable("not_excel")
        part = parts.get(sheet) or next(iter(parts.values()))
        yield {"sheets": list(parts), "size": reader.archive.getinfo(part).file_size}
        yield from _read_rows(reader, part, limits)


def _check_sizes(file: Any, limits: Mapping[str, int]) -> None:
    """Refuse files that are no workbook, or too large when unpacked."""
    with zipfile.ZipFile(file) as archive:
        sizes = {part.filename: part.file_size for part in archive.infolist()}
    if WORKBOOK not in sizes:
        raise Unreadable("not_excel")
    sizes_read_whole = [
        size
        for name, size in sizes.items()
        if name.endswith(READ_WHOLE) and name != SHARED and not name.startswith(SHEETS)
    ]
    if sum(sizes.values()) > limits["unpacked"] or sizes.get(SHARED, 0) > limits["shared"]:
        raise Unreadable("book_too_large")
    if max(sizes_read_whole) > limits["part"]:
        raise Unreadable("part_too_large")


def _read_rows(reader: ExcelReader, part: str, limits: Mapping[str, int]) -> Iterator[list[object]]:
    book: Any = reader.wb
    last = 0
    with reader.archive.open(part) as stream:
        parser = Parser(
            stream,
            reader.shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        for number, cells in parser.parse():
            if not last < number <= LAST_ROW:
                raise Unreadable("not_excel")
            last = number
            yield [number, *_row(cells, limits), stream.tell()]


def _row(cells: list[dict[str, Any]], limits: Mapping[str, int]) -> tuple[list[str], str]:
    """Return the cells of a row up to the last one with a text, and the fault of the row."""
    texts = {cell["column"]: text for cell in cells if (text := _text(cell["value"]))}
    if not texts:
        return [], "formula_without_result" if any(map(_is_formula, cells)) else ""
    width, most = max(texts), limits["columns"]
    row = [texts.get(column, "") for column in range(1, min(width, most + 1) + 1)]
    if width > most:
        # The fault is reported without the texts.
        return [""] * (most + 1), "other_number_of_columns"
    if sum(map(len, row)) > limits["record"]:
        return [text[:1000] for text in row], "record_too_long"
    return row, "formula_error" if any(cell["data_type"] == "e" for cell in cells) else ""


def _is_formula(cell: dict[str, Any]) -> bool:
    return bool(cell["data_type"] == "f")


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


def main(path: str, sheet: str, limits: Mapping[str, int]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limits["seconds"], limits["seconds"]))
    resource.setrlimit(resource.RLIMIT_AS, (limits["memory"], limits["memory"]))
    os.nice(NICE)
    warnings.simplefilter("ignore")  # openpyxl warns of features that it does not support
    for line in _messages(path, sheet, limits):
        sys.stdout.write(json.dumps(line) + "\n")


def _messages(path: str, sheet: str, limits: Mapping[str, int]) -> Iterator[object]:
    """Yield the messages; if reading ends early, the last one says why."""
    try:
        yield from lines(path, sheet, limits)
    except Unreadable as error:
        yield {"problem": str(error)}
    except MemoryError:
        yield {"problem": "book_too_large"}
    except DAMAGE:
        yield {"problem": "not_excel"}


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
