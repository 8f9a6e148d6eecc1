"""Rows as lines of JSON: a list in one answer, for whoever reads it whole.

It is streamed page by page, so it costs no more memory than a page, however long the list is. What
goes wrong underway breaks the answer off, which any client of HTTP tells from its end.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rest_framework.renderers import JSONRenderer


class NDJSONRenderer(JSONRenderer):
    """One row a line: newline-delimited JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"


def render(
    pages: Iterable[list[Any]], as_data: Callable[[list[Any]], Iterable[Any]]
) -> Iterator[bytes]:
    """The lines of each page at once; a row has no line break of its own."""
    renderer = NDJSONRenderer()
    for page in pages:
        yield b"".join(renderer.render(row) + b"\n" for row in as_data(page))
