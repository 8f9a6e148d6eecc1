"""Records of JSON Lines: one object on each line, with texts or numbers as values."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from annotation.imports.records import TableFault, TableRecord


class JsonLine(NamedTuple):
    """A line with its object; the fault is why it has none."""

    number: int
    text: str
    values: dict[str, Any]
    fault: TableFault | None = None


def numbered(lines: Iterator[tuple[int, str, bool]]) -> Iterator[JsonLine]:
    """Yield each line that is not empty with its object, or with why it has none."""
    for number, line, is_whole in lines:
        text = line.strip().removeprefix("\ufeff")
        if not is_whole:
            yield JsonLine(number, text[:1000], {}, TableFault.TOO_LONG)
        elif text:
            yield _parsed(number, text)


def keys(lines: list[JsonLine]) -> list[str]:
    """Return the names of all members, in the order of their first appearance."""
    return list(dict.fromkeys(key for line in lines for key in line.values))


def record(line: JsonLine, header: list[str]) -> TableRecord:
    """Return the values of the columns; of a line without an object, the line itself."""
    if line.fault:
        return TableRecord(line.number, [line.text], line.fault)
    values = [line.values.get(name) for name in header]
    cells = ["" if value is None else _text(value) for value in values]
    is_nested = any(isinstance(value, dict | list) for value in values)
    return TableRecord(line.number, cells, TableFault.NOT_A_STRING if is_nested else None)


def _text(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _parsed(number: int, text: str) -> JsonLine:
    try:
        # Numbers stay as they are written.
        values = json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError):
        return JsonLine(number, text, {}, TableFault.BAD_JSON)
    if not isinstance(values, dict):
        return JsonLine(number, text, {}, TableFault.NOT_AN_OBJECT)
    return JsonLine(number, text, values)
