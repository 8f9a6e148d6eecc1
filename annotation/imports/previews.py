"""The part of an uploaded file that is shown before its import: columns and first records."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.imports.records import Problem, TableRecord, UnreadableTable
from annotation.imports.tables import Table

# In characters, of all cells together and of each.
MOST_KEPT, MOST_OF_CELL = 300_000, 160
CUT = "…"


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of a table, or the problem that keeps it from being read.

    A row has a number, cells of at most MOST_OF_CELL characters, and its fault or "".
    """

    header: list[str] = field(default_factory=list)
    sheets: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str], str]] = field(default_factory=list)
    problem: str = ""
    values: dict[str, int | str] = field(default_factory=dict)

    @classmethod
    def of_table(cls, table: Table) -> "Preview":
        header = [excerpt(name) for name in table.header]
        return cls(header, table.sheets, list(_preview_rows(table.sample)))

    @classmethod
    def of_problem(cls, error: UnreadableTable) -> "Preview":
        return cls(problem=error.problem, values=error.values)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def texts_by_id(self, identity: tuple[str, str], columns: Mapping[str, int]) -> dict[str, str]:
        """Return the beginning of the text that each ID of the first rows has in the file."""
        positions = [columns.get(name) for name in identity]
        if None in positions:
            return {}
        rows = ([_cell(cells, position) for position in positions] for _, cells, _ in self.rows)
        return {id_: text.removesuffix(CUT) for id_, text in rows if id_}

    def in_words(self) -> str:
        """Return why the table cannot be read, in the language of the page; "" if it can."""
        return str(UnreadableTable(Problem(self.problem), **self.values)) if self.problem else ""


def _cell(cells: list[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


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
