"""The types of cells in the files of a release: how JSON is written and read, and their schema."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from json.encoder import encode_basestring as quoted
from sys import intern
from typing import Any

from annotation.stats.spans import Span
from releases.dataset.rows import Origin, Split, Subset
from releases.dataset.translated.rows import By, Validated

NULL = type(None)


def ids(cell: list[Any]) -> tuple[str, ...]:
    if not all(type(key) is str for key in cell):
        raise ValueError(f"{cell!r} is not a list of ids")
    return tuple(map(intern, cell))


def tally(cell: list[Any] | None) -> tuple[int, ...] | None:
    if cell is None:
        return None
    if any(type(number) is not int for number in cell):
        raise ValueError(f"{cell!r} are not whole numbers")
    return one_of_few(*cell)


def spans(cell: list[Any] | None) -> tuple[Span, ...] | None:
    if cell is None:
        return None
    if any(type(span) is not list or [*map(type, span)] != [int] * 3 for span in cell):
        raise ValueError(f"{cell!r} are not spans of a sentence, a start and an end")
    return tuple((sentence, start, end) for sentence, start, end in cell)


@cache
def one_of_few(*numbers: int) -> tuple[int, ...]:
    """Return the numbers; equal ones share one object."""
    return numbers


def or_null(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda cell: "null" if cell is None else write(cell)


def listed(write: Callable[[Any], str]) -> Callable[[Any], str]:
    return lambda cell: f"[{', '.join(map(write, cell))}]"


def replies(cell: dict[str, Any]) -> dict[str, str | None]:
    if not all(type(reply) in (str, NULL) for reply in cell.values()):
        raise ValueError(f"{cell!r} are not texts or null")
    return cell


def by_name(write: Callable[[Any], str]) -> Callable[[Mapping[str, Any]], str]:
    return lambda cell: f"{{{', '.join(f'{quoted(k)}: {write(cell[k])}' for k in cell)}}}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of cells, in schema.org and in JSON, and how JSON is written and read.

    Objects have no type in schema.org, so catalogues do not list them.
    """

    name: str
    types: tuple[type, ...]
    write: Callable[[Any], str]
    read: Callable[[Any], Any] = lambda cell: cell
    many: bool = False


TEXT = Kind("sc:Text", (str,), quoted, intern)
OPTIONAL_TEXT = Kind("sc:Text", (str, NULL), or_null(quoted), lambda cell: cell and intern(cell))
WHOLE = Kind("sc:Integer", (int,), repr)
OPTIONAL_WHOLE = Kind("sc:Integer", (int, NULL), or_null(repr))
NUMBER = Kind("sc:Float", (int, float, NULL), or_null(repr))
WHOLES = Kind("sc:Integer", (list, NULL), or_null(listed(repr)), tally, many=True)
FRACTIONS = Kind("sc:Float", (list, NULL), or_null(listed(repr)), many=True)
SPANS = Kind("sc:Integer", (list, NULL), or_null(listed(listed(repr))), spans, many=True)
TRUTH = {False: "false", True: "true"}
# The types that the fields of records have.
KINDS: Mapping[Any, Kind] = {
    str: TEXT,
    Origin: TEXT,
    By: TEXT,
    Validated: TEXT,
    str | None: OPTIONAL_TEXT,
    Subset | None: OPTIONAL_TEXT,
    Split | None: OPTIONAL_TEXT,
    Validated | None: OPTIONAL_TEXT,
    bool: Kind("sc:Boolean", (bool,), TRUTH.__getitem__),
    bool | None: Kind("sc:Boolean", (bool, NULL), or_null(TRUTH.__getitem__)),
    int: WHOLE,
    int | None: OPTIONAL_WHOLE,
    float | None: NUMBER,
    tuple[int, ...] | None: WHOLES,
    tuple[Span, ...] | None: SPANS,
    tuple[str, ...]: Kind("sc:Text", (list,), listed(quoted), ids, many=True),
    Mapping[str, str | None]: Kind("", (dict,), by_name(or_null(quoted)), replies),
}
