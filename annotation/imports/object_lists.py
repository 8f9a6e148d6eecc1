"""JSON lists of objects, as programs write them: the text is in memory, its objects are not."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

from annotation.imports.records import MAX_RECORD, Problem, UnreadableTable

# In characters.
LARGEST = 20_000_000
_DECODER = json.JSONDecoder(parse_int=str)
_OPENING, _COMMA = re.compile(r"\ufeff?\s*\[\s*"), re.compile(r"\s*,\s*")
_CLOSING = re.compile(r"\s*\]\s*")


@dataclass(slots=True)
class ObjectList:
    """The text of a JSON list, whose objects are read one by one."""

    text: str
    done: int = 0

    @property
    def total(self) -> int:
        return len(self.text)

    def tell(self) -> int:
        """How much of it has been read, in characters."""
        return self.done

    def lines(self) -> Iterator[tuple[int, str, bool]]:
        """Yield the number and text of each object, and whether it is short enough, like lines.

        Raises UnreadableTable where the text is no list.
        """
        number, separator = 0, _OPENING.match(self.text)
        self.done = separator.end() if separator else 0
        while separator:
            try:
                _value, self.done = _DECODER.raw_decode(self.text, separator.end())
            except (ValueError, RecursionError):
                break
            number += 1
            text = self.text[separator.end() : self.done]
            yield number, text[:MAX_RECORD], len(text) <= MAX_RECORD
            separator = _COMMA.match(self.text, self.done)
        if not _CLOSING.fullmatch(self.text, self.done):
            raise UnreadableTable(Problem.NOT_A_LIST, line=number)


def read(text: IO[str]) -> ObjectList:
    try:
        content = text.read(LARGEST + 1)
    except UnicodeError as error:
        raise UnreadableTable(Problem.ENCODING, line=0) from error
    if len(content) > LARGEST:
        raise UnreadableTable(Problem.LIST_TOO_LARGE, megabytes=LARGEST // 1_000_000)
    return ObjectList(content)
