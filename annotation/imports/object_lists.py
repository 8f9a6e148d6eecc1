"""JSON lists of objects, and objects of objects, as programs write them: read object by object."""

import json
import re
from collections.abc import Iterator
from typing import IO, TypeAlias

from annotation.imports.records import MAX_RECORD, Problem, UnreadableTable

# In characters: of a file, and of an object that is searched for its end.
LARGEST, MOST_OF_OBJECT = 500_000_000, 20_000_000
READ_AT_ONCE = 1_000_000
# The column with the names that the objects of an object have.
KEY = "key"
Line: TypeAlias = tuple[int, str, bool]  # its number, its text, and whether that is all of it

_DECODER = json.JSONDecoder(parse_int=str)
_OPENING, _COMMA = re.compile(r"\ufeff?\s*([\[{])\s*"), re.compile(r"\s*,\s*")
_NAME = re.compile(r'("(?:[^"\\]|\\.)*")\s*:\s*')
_CLOSING = {"[": re.compile(r"\s*\]\s*"), "{": re.compile(r"\s*\}\s*")}
_EMPTY_OBJECT = re.compile(r"\{\s*\}")


def lines(file: IO[str]) -> Iterator[Line]:
    """Yield the number and text of each object, and whether it is short enough, like lines.

    The name of an object in an object becomes its first member, KEY. Raises UnreadableTable where
    the text is neither.
    """
    text, number = _Text(file), 0
    opening = text.match(_OPENING)
    bracket = separator = opening and opening[1]
    while bracket and separator:
        name = text.match(_NAME) if bracket == "{" else None
        value = text.value() if name or bracket == "[" else ""
        if not value:
            break
        number += 1
        content = _with_key(name[1], value) if name else value
        yield number, content[:MAX_RECORD], len(content) <= MAX_RECORD
        separator = text.match(_COMMA)
    ends_after_comma = number and separator
    if ends_after_comma or not (bracket and text.match(_CLOSING[bracket]) and text.is_at_end()):
        raise UnreadableTable(Problem.NOT_A_LIST, line=number)


def _with_key(name: str, value: str) -> str:
    if not value.startswith("{"):
        return value
    members = "}" if _EMPTY_OBJECT.fullmatch(value) else f", {value[1:]}"
    return f'{{"{KEY}": {name}{members}'


class _Text:
    """A text of which only the part that is being read is in memory."""

    def __init__(self, file: IO[str]) -> None:
        self.file, self.part, self.at, self.size = file, "", 0, 0

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Match the pattern here, and go on after it."""
        match = pattern.match(self.part, self.at)
        while (match is None or match.end() == len(self.part)) and self._can_read_more():
            match = pattern.match(self.part, self.at)
        if match:
            self.at = match.end()
        return match

    def value(self) -> str:
        """Return the text of the JSON value here, and go on after it; "" if there is none."""
        while True:
            try:
                _value, end = _DECODER.raw_decode(self.part, self.at)
            except (ValueError, RecursionError):
                end = 0
            # A number that ends with the part may go on.
            if 0 < end < len(self.part) or not self._can_read_more():
                break
        start, self.at = self.at, max(self.at, end)
        return self.part[start : self.at]

    def is_at_end(self) -> bool:
        return self.at == len(self.part) and not self._can_read_more()

    def _can_read_more(self) -> bool:
        """Read on, as much as there is in memory, so that long objects are not read often."""
        rest = self.part[self.at :]
        if len(rest) > MOST_OF_OBJECT:
            return False
        try:
            further = self.file.read(max(READ_AT_ONCE, len(rest)))
        except UnicodeError as error:
            raise UnreadableTable(Problem.ENCODING, line=0) from error
        self.size += len(further)
        if self.size > LARGEST:
            raise UnreadableTable(Problem.LIST_TOO_LARGE, megabytes=LARGEST // 1_000_000)
        self.part, self.at = rest + further, 0
        return bool(further)
