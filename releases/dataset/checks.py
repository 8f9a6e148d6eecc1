"""Checks of the files of a release in any format, and of what describes them."""

import json
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from releases.dataset.croissant import CROISSANT, files_and_records, version_of
from releases.dataset.files import LineFile, Row, Table
from releases.dataset.formats import DOCUMENTS, Format, format_of
from releases.dataset.manifest import MANIFEST, Manifest, is_as_described
from releases.dataset.reader import FIRST_ROW, Difference, read_tsv

CHUNK = 1 << 20
ROWS_AT_ONCE = 5_000


def file_differences(
    folder: Path,
    manifest: Manifest,
    *,
    required: Collection[str],
    known: Container[str],
    kind: str = "a release",
) -> Iterator[Difference]:
    paths = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    entries = manifest["files"]
    for path in sorted(({*paths, *required} | entries.keys()) - {MANIFEST}):
        if path not in known:
            yield Difference(path, f"is no file of {kind}")
        elif path not in paths:
            yield Difference(path, "is missing")
        elif path not in entries:
            yield Difference(path, "is not in the manifest")
        elif not is_as_described(folder / path, entries[path]):
            yield Difference(path, "has another checksum or size than in the manifest")


def parquet_differences(folder: Path, tables: Iterable[Table]) -> Iterator[Difference]:
    """Check that Parquet files have the rows and column names of the TSV files."""
    for table in tables:
        rows = enumerate(read_tsv(folder, table), start=FIRST_ROW)
        try:
            for (line, row), parquet_row in zip_longest(
                rows, parquet_rows(folder, table), fillvalue=(None, None)
            ):
                if row != parquet_row:
                    what = f"does not hold the rows of {table.tsv}, from its line {line} on"
                    yield Difference(table.parquet, what)
                    break
        except (OSError, pa.ArrowException, ValueError) as error:
            yield Difference(table.parquet, str(error))


def parquet_rows(folder: Path, table: Table) -> Iterator[Row]:
    """Yield the rows of a table from its Parquet file. Raises ValueError for other columns."""
    with pq.ParquetFile(folder / table.parquet) as file:
        if tuple(file.schema_arrow.names) != table.names:
            raise ValueError(f"the columns are not {', '.join(table.names)}")
        for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False):
            columns = batch.to_pydict()
            for column in table.columns:
                if column.is_list:
                    columns[column.name] = [cell and tuple(cell) for cell in columns[column.name]]
            yield from zip(*columns.values(), strict=True)


def description_differences(
    folder: Path, manifest: Manifest, tables: Iterable[Table], line_files: Iterable[LineFile[Any]]
) -> Iterator[Difference]:
    """Check that croissant.json, of the version that it states, has all files and columns."""
    files = {path: entry for path, entry in manifest["files"].items() if path not in DOCUMENTS}
    try:
        described = json.loads((folder / CROISSANT).read_text(encoding="utf-8"))
        entries, version = dict(_entries(described)), version_of(described)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        yield Difference(CROISSANT, f"does not describe the files: {error!r}")
        return
    expected = files_and_records(files, tables, line_files, version=version)
    for key, entry in _entries(expected):
        if entries.pop(key, None) != entry:
            yield Difference(CROISSANT, f"{key} is not described as in the manifest and the tables")
    for key in entries:
        yield Difference(CROISSANT, f"{key} is described, but is not in the release")


def _entries(description: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the files, the record sets and their fields by their ids."""
    for part in ("distribution", "recordSet"):
        for entry in description[part]:
            fields = entry.get("field", [])
            yield entry["@id"], entry | {"field": [field["@id"] for field in fields]}
            yield from ((field["@id"], field) for field in fields)


def part_differences(given: Any, expected: Mapping[str, Any]) -> Iterator[Difference]:
    """Yield the keys of a part of the manifest whose values are not the expected ones."""
    for key in sorted(expected.keys() | given.keys()):
        if given.get(key) != expected.get(key):
            yield Difference(MANIFEST, f"{key} is {given.get(key)}, not {expected.get(key)}")


def row_number_differences(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    """Check the row counts in the manifest. Missing files are reported by `file_differences`."""
    entries, files = manifest["files"], format_of(manifest)
    for path in sorted(entries.keys() & files.known):
        if (folder / path).exists():
            stated_rows, rows = entries[path]["rows"], row_number(folder, path, files)
            if stated_rows != rows:
                yield Difference(MANIFEST, f"{path} has {rows} rows, not {stated_rows}")


def row_number(folder: Path, path: str, files: Format) -> int | None:
    """Return the number of rows of a file, for Parquet from its TSV file; None for documents."""
    if path in DOCUMENTS:
        return None
    with (folder / files.tsv_of.get(path, path)).open("rb") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return lines - (path not in files.lines)
