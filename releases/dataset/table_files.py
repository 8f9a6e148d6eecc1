"""Writes the two files of a table, TSV and Parquet, together."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from releases.dataset.json_lines import tsv_line, tsv_lines
from releases.dataset.tables import Row, Table

ROWS_IN_GROUP = 20_000


@dataclass(slots=True)
class TableFiles:
    """A table being written to both files; rows are buffered by row group."""

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
        """Write the buffered rows as one row group."""
        if self.group:
            self.rows += len(self.group)
            self.tsv.write(tsv_lines(self.group))
            schema = self.parquet.schema
            columns = zip(schema.types, zip(*self.group, strict=True), strict=True)
            arrays = [array(cells, kind) for kind, cells in columns]
            self.parquet.write_table(pa.Table.from_arrays(arrays, schema=schema))
            self.group.clear()


@contextmanager
def opened(root: Path, table: Table) -> Iterator[TableFiles]:
    """Open both files of a table and write the header."""
    tsv, parquet = root / table.tsv, root / table.parquet
    for path in (tsv, parquet):
        path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(column, type_of(table, column)) for column in table.columns])
    with (
        tsv.open("w", encoding="utf-8", newline="\n") as lines,
        pq.ParquetWriter(parquet, schema) as groups,
    ):
        lines.write(tsv_line(table.columns))
        files = TableFiles(lines, groups)
        yield files
        files.flush()


def array(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    """Return a column of texts or integers.

    Built by hand, because pyarrow.array imports pandas if it is installed, to check for pandas
    input: half a second, and 50 MB.
    """
    if kind == pa.int64():
        return pa.Array.from_buffers(
            kind, len(cells), [None, pa.py_buffer(np.array(cells, np.int64))]
        )
    texts = [cell.encode() for cell in cells]
    ends = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(texts))]
    return pa.Array.from_buffers(kind, len(texts), buffers)


def type_of(table: Table, column: str) -> pa.DataType:
    """Return the column type: integer for labels and votes, text for all others."""
    return pa.int64() if column in table.values else pa.string()
