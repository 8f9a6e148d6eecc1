"""Lists as newline-delimited JSON, one row a line.

The response is streamed page by page, so its memory does not grow with the list. An error on the
way ends the response early, which HTTP clients detect.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rest_framework.renderers import JSONRenderer


class NDJSONRenderer(JSONRenderer):
    """Renders a row as one line of JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"


def render(
    pages: Iterable[list[Any]], as_data: Callable[[list[Any]], Iterable[Any]]
) -> Iterator[bytes]:
    """Yield the lines of each page as one chunk."""
    renderer = NDJSONRenderer()
    for page in pages:
        yield b"".join(renderer.render(row) + b"\n" for row in as_data(page))
