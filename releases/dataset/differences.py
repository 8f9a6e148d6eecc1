"""Differences found when verifying a release, with file and line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Difference:
    """An error in a file, and its line; lines count from 1."""

    path: str
    what: str
    line: int | None = None

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}, line {self.line}"
        return f"{place}: {self.what}"


class Unreadable(ValueError):
    """A file of a release is missing or does not follow the format."""

    def __init__(self, path: str, reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.difference = Difference(path, reason, line)


def some(found: Iterable[Difference]) -> Iterator[Difference]:
    """Yield the first differences, and the number of further ones."""
    every, last = iter(found), None
    for last in islice(every, SHOWN):
        yield last
    more = sum(1 for _ in every)
    if last is not None and more:
        yield Difference(last.path, f"and {more} more")
