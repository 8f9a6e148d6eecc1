"""The beginning of an uploaded file: what is shown and what is looked up before its import."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext

from annotation.imports.records import PROBLEMS, Problem, TableFault, TableRecord, UnreadableTable
from annotation.imports.tables import Table

# In characters, of all cells together and of each.
MOST_KEPT, MOST_OF_CELL = 300_000, 160
# Rows that are looked up in a corpus, and the most characters of the file that has them.
MOST_LOOKED_UP, MOST_CHARACTERS = 20_000, 10_000_000
CUT = "…"


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of a table, or the problem that keeps it from being read.

    A row has a number, cells of at most MOST_OF_CELL characters, and its fault or "". `total` is
    the number of all rows, if the stored beginning has them all.
    """

    header: list[str] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str], str]] = field(default_factory=list)
    problem: str = ""
    values: dict[str, int | str] = field(default_factory=dict)
    total: int | None = None

    @classmethod
    def of_table(cls, table: Table) -> "Preview":
        header = [excerpt(name) for name in table.header]
        return cls(header, table.sheets, list(_preview_rows(table.sample)))

    @classmethod
    def of_problem(cls, error: UnreadableTable) -> "Preview":
        return cls(problem=error.problem, values=error.values)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def in_words(self) -> str:
        """Return why the table cannot be read, in the language of the page; "" if it can."""
        if not self.problem:
            return ""
        numbers = {
            name: number_format(number, force_grouping=True)
            for name, number in self.values.items()
            if not isinstance(number, str)
        }
        return gettext(PROBLEMS[Problem(self.problem)]) % (self.values | numbers)


def store_beginning(records: Iterable[TableRecord], path: Path) -> int | None:
    """Write the first records, for `stored_beginning`; return how many if these are all."""
    number = characters = 0
    with path.open("w", encoding="ascii") as file:
        try:
            for record in records:
                if number == MOST_LOOKED_UP or characters > MOST_CHARACTERS:
                    return None
                characters += file.write(json.dumps(record) + "\n")
                number += 1
        except UnreadableTable:  # the import says what is wrong after the first rows
            return None
    return number


def stored_beginning(path: Path) -> Iterator[TableRecord]:
    """Yield the records; none of a draft that was read before they were stored."""
    if not path.exists():
        return
    with path.open(encoding="ascii") as file:
        for number, cells, fault in map(json.loads, file):
            yield TableRecord(number, cells, fault and TableFault(fault))


def excerpt(text: str) -> str:
    """Return the beginning of a text, without characters that pages or databases refuse."""
    cut = text if len(text) <= MOST_OF_CELL else f"{text[:MOST_OF_CELL]}{CUT}"
    return cut.encode("utf-8", "replace").decode().replace("\0", "\ufffd")


def _preview_rows(records: list[TableRecord]) -> Iterator[tuple[int, list[str], str]]:
    characters = 0
    for record in records:
        cells = [excerpt(cell) for cell in record.cells]
        characters += sum(map(len, cells))
        if characters > MOST_KEPT:
            return
        yield record.number, cells, record.fault or ""
