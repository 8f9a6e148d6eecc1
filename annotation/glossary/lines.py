"""Reads an uploaded glossary: a table of two or three columns, in any usual encoding."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotation.errors import Refused
from annotation.imports.detection import encoding_of
from annotation.imports.tables import DELIMITERS
from common.formulas import unescape

# First cells of a header, as the download of a glossary has them.
HEADERS = ("source", "term")


@dataclass(frozen=True, slots=True)
class Line:
    """A term of a file, at the line `number`; missing cells are empty."""

    number: int
    source: str
    target: str
    note: str


def lines(content: bytes) -> Iterator[Line]:
    """Yield the lines that are not empty, without a header; extra columns are dropped.

    Raises Refused for a cell that is far longer than any term.
    """
    text = content.decode(encoding_of(content), errors="replace").removeprefix("\ufeff")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    for row in _read_rows(rows):
        cells = [unescape(cell.strip()) for cell in row]
        if not any(cells) or (rows.line_num == 1 and cells[0].lower() in HEADERS):
            continue
        source, target, note, *_more = [*cells, "", ""]
        yield Line(rows.line_num, source, target, note)


def _read_rows(rows: Any) -> Iterator[list[str]]:
    try:
        yield from rows
    except csv.Error:
        text = _("Line %(line)s can’t be read: it may lack a quotation mark.")
        raise Refused(text % {"line": rows.line_num}) from None


def _delimiter(text: str) -> str:
    """Return the delimiter that most lines have; a tab counts first."""
    first = text.splitlines()[:50]
    return max(("\t", *DELIMITERS), key=lambda each: sum(each in line for line in first))
