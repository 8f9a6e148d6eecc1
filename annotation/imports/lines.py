"""Lines of a table: the values of its records by field, and what they are made into."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from annotation.imports import compression, detection, tables
from annotation.imports.detection import Field
from annotation.imports.previews import excerpt
from annotation.imports.records import Nested, Problem, TableFault, TableRecord, UnreadableTable
from annotation.imports.tables import Layout, Shape, Table
from generation.nlp.text import RefusedText
from generation.records import Record, Refusal, RefusedLine

Line = TypeVar("Line")
# The number of a line, its values by field, and why they cannot be used.
Values: TypeAlias = tuple[int, Record, TableFault | None]
# Columns that an error lists.
SHOWN = 10
# Formats by the names that commands have for them.
FORMATS = ("txt", "csv", "tsv", "jsonl", "json", "xlsx", "parquet")


@dataclass(slots=True)
class OpenFile:
    """An open file: how it is read, the fields it names, its other columns, and its lines."""

    layout: Layout
    fields: Sequence[str]
    ignored: Sequence[str]
    lines: Iterable[Values]


def values_of(records: Iterable[TableRecord], columns: Mapping[str, int]) -> Iterator[Values]:
    """Yield the values of each record; `columns` are numbers by field."""
    columns_of_fields = list(columns.items())
    last = max(columns.values(), default=-1)
    for number, cells, fault in records:
        padded = cells if len(cells) > last else [*cells, *[""] * (last + 1)]
        values = {name: padded[column] for name, column in columns_of_fields}
        if fault is TableFault.NOT_A_STRING and not _has_nested(values):
            fault = None
        yield number, values, fault


def _has_nested(values: Record) -> bool:
    return any(isinstance(value, Nested) for value in values.values())


def make_lines(
    lines: Iterable[Values], make_line: Callable[[int, Record], Line]
) -> Iterator[Line | Refusal]:
    """Yield what `make_line` returns for the number and the values of each line, or its refusal."""
    for number, values, fault in lines:
        try:
            yield Refusal(number, fault) if fault else make_line(number, values)
        except (RefusedText, RefusedLine) as refused:
            yield Refusal(number, refused.reason)


@contextmanager
def open_file(
    path: Path, fields: Sequence[Field], *, file_format: str = "", encoding: str = ""
) -> Iterator[OpenFile]:
    """Open a file whose first line, or whose objects, name the columns, unless it is plain text.

    Format and encoding are found out unless they are named. Raises UnreadableTable if the file is
    damaged or no table, lacks a required column, or names one twice; reading may raise it too.
    """
    compression.unpacked_size(path)
    layout = Layout(Shape.PARQUET)
    if not tables.is_parquet(path):
        layout = detection.layout_of(path, path.name.casefold(), fields, encoding=encoding)
    layout = _layout_in_format(layout, file_format) if file_format else layout
    with tables.open_table(path, replace(layout, has_header=True)) as table:
        columns = _columns(table, fields)
        names = list(columns)
        ignored = [name for at, name in enumerate(table.header) if at not in columns.values()]
        if layout.shape in {Shape.JSON, Shape.JSONL}:
            # Other fields may come after the first objects.
            for field in fields:
                columns.setdefault(field.name, table.place_of(field.name))
        yield OpenFile(layout, names, ignored, values_of(table.records, columns))


def _layout_in_format(layout: Layout, name: str) -> Layout:
    if name == "tsv":
        return replace(layout, shape=Shape.CSV, delimiter="\t")
    # What separates the columns of a file has been found out only if it is taken for CSV.
    return replace(layout, shape=Shape(name))


def _columns(table: Table, fields: Sequence[Field]) -> dict[str, int]:
    """Return the columns of the fields that the table names. Raises UnreadableTable."""
    if table.layout.shape is Shape.TXT:
        return {fields[0].name: 0}
    names = [name.casefold() for name in table.header]
    for field in fields:
        if names.count(field.name) > 1:
            raise UnreadableTable(Problem.REPEATED_COLUMN, name=field.name)
        aliases = [alias for alias in field.aliases if field.is_id and alias in names]
        if aliases:
            names[names.index(aliases[0])] = field.name
    if missing := [field.name for field in fields if field.is_required and field.name not in names]:
        raise UnreadableTable(
            Problem.MISSING_COLUMNS,
            missing=" and a column ".join(missing),
            names=", ".join(map(excerpt, table.header[:SHOWN])),
        )
    return {field.name: names.index(field.name) for field in fields if field.name in names}
