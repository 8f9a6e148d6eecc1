"""JSON of files that people bring, without what readers of JSON guess at."""

import json
from collections.abc import Callable
from math import isfinite
from typing import Any, NoReturn


class RepeatedName(ValueError):
    """An object has two members of one name, of which readers take either."""


class NoNumber(ValueError):
    """NaN, Infinity, or a number beyond what a computer calculates with."""


def read(text: str, *, number: Callable[[str], Any] | None = None) -> Any:
    """Parse a JSON text; `number` gets each number as it is written, and returns its value.

    Raises RepeatedName, NoNumber, other ValueErrors for what is no JSON, and RecursionError.
    """

    def fraction(digits: str) -> Any:
        if not isfinite(float(digits)):
            raise NoNumber(digits)
        return number(digits) if number else float(digits)

    return json.loads(
        text,
        parse_int=number,
        parse_float=fraction,
        parse_constant=_refuse,
        object_pairs_hook=_members,
    )


def _refuse(name: str) -> NoReturn:
    raise NoNumber(name)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise RepeatedName
    return members
