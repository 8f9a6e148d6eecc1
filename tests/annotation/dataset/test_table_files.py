"""A table on its way into TSV and Parquet, some rows at a time."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from annotation.dataset import table_files
from annotation.dataset.tables import TABLES

ROWS = [(f"p{n}", f"one {n}", f"two {n}", n % 2) for n in range(5)]


def test_rows_come_in_groups_and_none_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_files, "ROWS_IN_GROUP", 2)
    with table_files.opened(tmp_path, TABLES[0]) as files:
        for row in ROWS:
            files.add(row)
    with pq.ParquetFile(tmp_path / TABLES[0].parquet) as parquet:
        groups = [parquet.metadata.row_group(n).num_rows for n in range(parquet.num_row_groups)]
        assert groups == [2, 2, 1]
        assert list(zip(*parquet.read().to_pydict().values(), strict=True)) == ROWS
    assert files.rows == len((tmp_path / TABLES[0].tsv).read_text().splitlines()) - 1 == 5
