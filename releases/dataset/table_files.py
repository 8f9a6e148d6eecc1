"""Writes the files of a table: TSV and Parquet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from releases.dataset.files import Column, Row, Table, tsv_lines
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.rows import ReleasedPair

# By path; None of documents.
RowNumbers = dict[str, int | None]
# Of a row group of Parquet, whose rows are in memory together.
ROWS_IN_GROUP = 20_000
NUMBERS = {pa.int64(): np.int64, pa.float64(): np.float64}


@dataclass(slots=True)
class TableFiles:
    """Both files of a table, TSV and Parquet, being written; rows are buffered by row group."""

    tsv: TextIO
    parquet: pq.ParquetWriter
    rows: int = 0
    group: list[Row] = field(default_factory=list)

    def add(self, row: Row) -> None:
        """Buffer a row, and write full groups. Raises ValueError if TSV cannot hold a row."""
        self.group.append(row)
        if len(self.group) == ROWS_IN_GROUP:
            self.flush()

    def flush(self) -> None:
        if self.group:
            self.rows += len(self.group)
            self.tsv.write(tsv_lines(self.group))
            schema = self.parquet.schema
            columns = zip(schema.types, zip(*self.group, strict=True), strict=True)
            arrays = [build_array(cells, kind) for kind, cells in columns]
            self.parquet.write_table(pa.Table.from_arrays(arrays, schema=schema))
            self.group.clear()


@contextmanager
def open_table(root: Path, table: Table) -> Iterator[TableFiles]:
    tsv, parquet = root / table.tsv, root / table.parquet
    for path in (tsv, parquet):
        path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(column.name, arrow_type(column)) for column in table.columns])
    with (
        tsv.open("w", encoding="utf-8", newline="\n") as lines,
        pq.ParquetWriter(parquet, schema) as groups,
    ):
        lines.write(tsv_lines([table.names]))
        files = TableFiles(lines, groups)
        yield files
        files.flush()


def write_tables(
    root: Path, pairs: Iterable[ReleasedPair | PublishedPair], tables: Iterable[Table]
) -> RowNumbers:
    """Write both files of each table that has rows."""
    table_of_place = {table.place: table for table in tables}
    files: dict[Table, TableFiles] = {}
    with ExitStack() as stack:
        for pair in pairs:
            table = table_of_place[pair.place]
            if table not in files:
                files[table] = stack.enter_context(open_table(root, table))
            files[table].add(table.row(pair))
    return row_numbers(files)


def row_numbers(files: Mapping[Table, TableFiles]) -> RowNumbers:
    """Return the numbers of rows by path, once the tables are written."""
    return {path: files[table].rows for table in files for path in (table.tsv, table.parquet)}


def arrow_type(column: Column) -> pa.DataType:
    if column.is_text:
        return pa.string()
    numbers = pa.float64() if column.is_fraction else pa.int64()
    return pa.list_(numbers) if column.is_list else numbers


def build_array(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return a column of texts, numbers, or lists of numbers; None is null.

    Built by hand, because pyarrow.array imports pandas if it is installed, to check for pandas
    input: half a second, and 50 MB.
    """
    has_value = np.array([cell is not None for cell in cells])
    nulls = None if has_value.all() else pa.py_buffer(np.packbits(has_value, bitorder="little"))
    if pa.types.is_list(kind):
        ends = _ends(cells)
        numbers = build_array([number for cell in cells for number in cell or ()], kind.value_type)
        return pa.Array.from_buffers(kind, len(cells), [nulls, ends], children=[numbers])
    if kind != pa.string():
        numbers = np.array([cell or 0 for cell in cells], NUMBERS[kind])
        return pa.Array.from_buffers(kind, len(cells), [nulls, pa.py_buffer(numbers)])
    texts = [(cell or "").encode() for cell in cells]
    buffers = [nulls, _ends(texts), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(kind, len(texts), buffers)


def _ends(cells: Sequence[Any]) -> pa.Buffer:
    """Return where each cell ends among the bytes or numbers of all of them, after a 0."""
    return pa.py_buffer(np.cumsum([0, *(len(cell or ()) for cell in cells)], dtype=np.int32))
