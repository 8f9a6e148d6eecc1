"""JSON that people bring: values of unknown form, such as settings, and the lines of files."""

import json
from math import isfinite
from typing import Any, NoReturn

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


class RepeatedName(ValueError):
    """An object has two members of one name, of which readers take either."""


class NoNumber(ValueError):
    """NaN, Infinity, or a number beyond what a computer calculates with."""


def read_line(text: str) -> Any:
    """Parse a line of a file; numbers stay texts, as they are written.

    Raises RepeatedName, NoNumber, other ValueErrors for what is no JSON, and RecursionError.
    """
    return _LINES.decode(text)


def _fraction(digits: str) -> str:
    if not isfinite(float(digits)):
        raise NoNumber(digits)
    return digits


def _refuse(name: str) -> NoReturn:
    raise NoNumber(name)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedName
    return members


_LINES = json.JSONDecoder(
    parse_int=str,
    parse_float=_fraction,
    parse_constant=_refuse,
    object_pairs_hook=_members,
)
