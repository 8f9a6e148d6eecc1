"""Flashcards of a file on this machine, whatever its format."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation.imports import detection, tables
from annotation.imports.kinds import KINDS, line_of
from annotation.imports.records import Problem, UnreadableTable
from annotation.models import Import
from generation.flashcards import Card
from generation.records import Refusal

KIND = KINDS[Import.Kind.FLASHCARDS]
# Columns that an error lists.
SHOWN = 10


@contextmanager
def opened(path: Path) -> Iterator[Iterator[Card | Refusal]]:
    """Open a file whose first line, or whose objects, name the columns.

    Raises UnreadableTable if it is no table, or lacks a required column.
    """
    layout = detection.layout_of(path, path.name.casefold(), KIND)
    with tables.opened(path, layout) as table:
        columns = {name.casefold(): place for place, name in enumerate(table.header)}
        if missing := [each.name for each in KIND.required if each.name not in columns]:
            raise UnreadableTable(
                Problem.MISSING_COLUMNS,
                missing=" and a column ".join(missing),
                names=", ".join(table.header[:SHOWN]),
            )
        yield (line_of(record, KIND, columns, 0) for record in table.records)
