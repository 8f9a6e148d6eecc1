"""Request bodies: JSON that is checked before any field is read."""

from typing import IO, Any

from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser

from common import bounded_json
from common.bounded_json import InvalidJSON


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
