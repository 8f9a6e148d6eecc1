"""Checks JSON of unknown form that a person sent, such as the settings of a method.

It will be stored and shown, so its size, depth, texts and numbers are bounded to what every
database can store and every reader can parse.
"""

import json
import math
from typing import Any, Never

MAX_BYTES = 65_536
MAX_DEPTH = 8
MAX_INTEGER = 2**63 - 1


class InvalidJSON(ValueError):
    """The JSON is refused; the message says where and why."""


def read(text: str | bytes) -> Any:
    """Parse and check a JSON text. Raises InvalidJSON."""
    if len(text) > MAX_BYTES:
        raise InvalidJSON(f"This is longer than {MAX_BYTES:,} bytes.")
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
    except RecursionError:
        raise InvalidJSON("This is nested too deeply.") from None
    except ValueError as error:
        raise InvalidJSON(f"This is not JSON: {error}") from error
    check(value)
    return value


def check(value: Any, place: str = "", depth: int = MAX_DEPTH) -> None:
    """Raise InvalidJSON for a value that cannot be stored; the text names its place."""
    if depth < 0:
        raise InvalidJSON(f"{_named(place)} is nested more than {MAX_DEPTH} levels deep.")
    if isinstance(value, str):
        _check_text(value, _named(place))
    elif isinstance(value, int | float):
        _check_number(value, _named(place))
    elif isinstance(value, dict):
        for name, part in value.items():
            _check_text(name, f"A name in {place or 'this'}")
            check(part, f"{place}.{name}".lstrip("."), depth - 1)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            check(part, f"{place}[{number}]", depth - 1)


def _check_text(text: str, place: str) -> None:
    if "\0" in text:
        raise InvalidJSON(f"{place} holds a NUL character.")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidJSON(f"{place} holds half of a surrogate pair, which is no text.")


def _check_number(number: Any, place: str) -> None:
    fits = math.isfinite(number) if isinstance(number, float) else abs(number) <= MAX_INTEGER
    if not fits:
        raise InvalidJSON(f"{place} is a number out of bounds.")


def _named(place: str) -> str:
    return place or "This"


def _refuse_constant(name: str) -> Never:
    raise InvalidJSON(f"{name} is not JSON.")
