"""Tables as files that a spreadsheet opens as they are, and in which nothing is a formula."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

from django.http import StreamingHttpResponse
from django.utils.text import slugify

from common.csv_cells import escaped

Cell = str | int | float | bool | date | None
# Without it, Excel takes the letters of UTF-8 for others.
BYTE_ORDER_MARK = "\ufeff"


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, line: str) -> str:
        return line


def download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> StreamingHttpResponse:
    """The rows as they come, under a name made of letters and digits: RFC 4180 in UTF-8."""
    reply = StreamingHttpResponse(lines(header, rows), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{slugify(name) or "table"}.csv"'
    reply["X-Content-Type-Options"] = "nosniff"
    reply["Cache-Control"] = "no-store"
    return reply


def lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Line by line, so that no table is ever held in memory."""
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: Cell) -> str | int | float:
    """A value as it stands in its cell: a text that a spreadsheet might run has an apostrophe
    before it, numbers are numbers, times are of ISO 8601, and nothing is an empty cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    return escaped(value)
