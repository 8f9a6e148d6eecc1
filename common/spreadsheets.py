"""CSV downloads that spreadsheets open safely."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime

from django.http import StreamingHttpResponse
from django.utils.text import slugify

from common.formulas import escape

Cell = str | int | float | bool | date | None
# Without it, Excel does not read the file as UTF-8.
BYTE_ORDER_MARK = "\ufeff"


class _Echo:
    """A file whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line


def download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> StreamingHttpResponse:
    """Stream the rows as a CSV file (RFC 4180, UTF-8) named after `name`."""
    reply = StreamingHttpResponse(lines(header, rows), content_type="text/csv; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{slugify(name) or "table"}.csv"'
    reply["X-Content-Type-Options"] = "nosniff"
    reply["Cache-Control"] = "no-store"
    return reply


def lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """The CSV lines one by one, so that memory does not grow with the table."""
    writer = csv.writer(_Echo())
    yield BYTE_ORDER_MARK + writer.writerow(header)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: Cell) -> str | int | float:
    """A value as written to its cell: escaped text, a number, an ISO 8601 time, "" for None."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    return escape(value)
