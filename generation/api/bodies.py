"""What a request may carry: JSON that is checked before any field of it is looked at."""

from typing import IO, Any

from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser

from generation import free_json
from generation.free_json import NotAcceptable


class CheckedJSONParser(BaseParser):
    """An object in UTF-8 of bounded size and depth, whose texts can be stored and sent back."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """Read no more than may be sent. Raises ValidationError."""
        try:
            body = free_json.read(stream.read(free_json.MAX_BYTES + 1))
        except NotAcceptable as error:
            raise ValidationError(str(error), code="parse_error") from error
        if not isinstance(body, dict):
            raise ValidationError("This is not a JSON object.", code="parse_error")
        return body
