"""JSON of unknown form that a person sent, such as the settings of a method."""

import json
from typing import Any

MAX_BYTES = 65_536
MAX_INTEGER = 2**63 - 1


class InvalidJSON(ValueError):
    """The JSON is refused; the message says why."""


def read(text: str | bytes, *, most: int = MAX_BYTES) -> Any:
    """Parse a JSON text that every database can store. Raises InvalidJSON."""
    if len(text) > most:
        raise InvalidJSON(f"This is longer than {most:,} bytes.")
    try:
        value = json.loads(text)
        # Refuses infinite numbers, and halves of surrogate pairs, which are no text.
        stored = json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
    except RecursionError:
        raise InvalidJSON("This is nested too deeply.") from None
    except ValueError as error:
        raise InvalidJSON(f"This is not JSON: {error}") from error
    if rb"\u0000" in stored:
        raise InvalidJSON("This holds a NUL character.")
    return value
