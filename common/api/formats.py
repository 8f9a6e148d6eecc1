"""Formats of requests and replies: JSON that is checked when read, and newline-delimited JSON."""

from collections.abc import Iterable
from typing import IO, Any

from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from common import bounded_json
from common.bounded_json import InvalidJSON


class NDJSONRenderer(JSONRenderer):
    """Renders a row as one line of JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"


class CheckedJSONParser(BaseParser):
    """Parses a JSON object in UTF-8 of bounded size and depth."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """Raises ValidationError for a body that is too large or not a JSON object."""
        try:
            body = bounded_json.read(stream.read(bounded_json.MAX_BYTES + 1))
        except InvalidJSON as error:
            raise ValidationError(str(error), code="parse_error") from error
        if not isinstance(body, dict):
            raise ValidationError("This is not a JSON object.", code="parse_error")
        return body


class FirstFormat(BaseContentNegotiation):
    """Uses the first format, whatever the request accepts: for endpoints with one format."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
