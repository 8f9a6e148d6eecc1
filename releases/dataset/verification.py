"""Verifies a release by recomputing everything from its files alone."""

import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from releases.dataset.citations import CFF, ZENODO
from releases.dataset.files import LINE_FILES, PAIRS, TABLES, Row, Table
from releases.dataset.graded import AGREEMENT
from releases.dataset.manifest import MANIFEST, Manifest, sha256
from releases.dataset.models import model_differences
from releases.dataset.plan import ReleasePlan, plan
from releases.dataset.reader import (
    Difference,
    ReadRelease,
    Unreadable,
    first_differences,
    read_manifest,
    read_release,
    read_tsv,
)
from releases.dataset.rows import PairRow, ReleasedPair
from releases.dataset.rules import FIRST_ROW, REFERENCES, RULES
from releases.dataset.shared_words import overlap_of

ALWAYS, CITATIONS = ("README.md", "croissant.json"), (CFF, ZENODO)
DOCUMENTS = (*ALWAYS, *CITATIONS)
LINES = {file.path for file in LINE_FILES}
KNOWN = {*DOCUMENTS, *LINES, *(t.tsv for t in TABLES), *(t.parquet for t in TABLES)}
FILES = KNOWN - {file.path for file in LINE_FILES if file.optional} - {*CITATIONS}
TSV_OF = {table.parquet: table.tsv for table in TABLES}
CHUNK = 1 << 20
ROWS_AT_ONCE = 5_000


def verify(release: Path) -> list[Difference]:
    """Return the differences in a release, a folder or its .tar.gz; empty if it is valid.

    Checks checksums, sizes and row counts of the manifest; the models against the card; the rules
    of the format; Parquet against TSV; the counts; and that the settings of the manifest, applied
    to the sentences and judgments, produce exactly these pairs, labels, subsets, splits and sides.
    Content that occurs nowhere else, such as croissant.json, is protected by its checksum alone.

    Lists at most 20 differences for each check. Checks that need unreadable files are skipped, and
    the reason is listed.
    """
    with unpacked(release) as folder:
        return list(differences(folder))


def differences(folder: Path) -> Iterator[Difference]:
    """Yield all differences; later checks depend on earlier ones."""
    try:
        manifest = read_manifest(folder)
        yield from first_differences(file_differences(folder, manifest))
        yield from first_differences(model_differences(folder, manifest))
        yield from content_differences(read_release(folder))
    except Unreadable as error:
        yield error.difference


def content_differences(release: ReadRelease) -> Iterator[Difference]:
    """Yield the differences between readable files. Raises Unreadable."""
    broken = [difference for rule in REFERENCES for difference in first_differences(rule(release))]
    yield from broken
    if broken:
        return
    yield from release.found
    for rule in RULES:
        yield from first_differences(rule(release))
    yield from first_differences(parquet_differences(release))
    try:
        planned = replayed(release)
    except ValueError as error:
        yield Difference(MANIFEST, f"the settings cannot be followed: {error}")
        return
    yield from first_differences(pair_differences(release, planned))
    yield from first_differences(manifest_differences(release, planned))


@contextmanager
def unpacked(release: Path) -> Iterator[Path]:
    """Yield the folder of a release, unpacked if it is an archive."""
    if release.is_dir():
        yield release
        return
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(release) as archive:
        archive.extractall(scratch, filter="data")
        folders = [path for path in Path(scratch).iterdir() if path.is_dir()]
        yield folders[0] if len(folders) == 1 else Path(scratch)


def file_differences(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    """Yield files that are missing, unexpected, or not as the manifest describes them."""
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    described = manifest["files"]
    for path in sorted(there | FILES | described.keys()):
        if path == MANIFEST:
            continue
        if path not in KNOWN:
            yield Difference(path, "is no file of a release")
        elif path not in there:
            yield Difference(path, "is missing")
        elif path not in described:
            yield Difference(path, "is not in the manifest")
        elif not is_as_described(folder / path, described[path]):
            yield Difference(path, "has another checksum or size than in the manifest")


def is_as_described(path: Path, description: Mapping[str, Any]) -> bool:
    """Return whether a file has the size and digest that the manifest gives."""
    there = {"bytes": path.stat().st_size, "sha256": sha256(path)}
    return all(description[name] == value for name, value in there.items())


def parquet_differences(release: ReadRelease) -> Iterator[Difference]:
    """Check that Parquet files have the rows and column names of the TSV files."""
    for table in release.tables:
        rows = enumerate(read_tsv(release.folder, table), start=FIRST_ROW)
        try:
            for (line, row), typed in zip_longest(
                rows, parquet_rows(release.folder, table), fillvalue=(None, None)
            ):
                if row != typed:
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
            yield from zip(*batch.to_pydict().values(), strict=True)


def manifest_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    """Check that the manifest repeats the actual counts and settings."""
    due = {
        "counts": expected_counts(release, planned),
        "": {
            "seed": release.settings.seed,
            "settings": release.settings.to_dict(),
            "simulated": release.counts.simulated > 0,
        },
    }
    for part, expected in due.items():
        given = release.manifest[part] if part else release.manifest
        # Other top-level keys are in no other file; the counts must be complete.
        for key in sorted(expected.keys() | (given.keys() if part else set())):
            if given.get(key) != expected.get(key):
                yield Difference(MANIFEST, f"{key} is {given.get(key)}, not {expected.get(key)}")
    yield from row_number_differences(release)


def expected_counts(release: ReadRelease, planned: ReleasePlan) -> dict[str, Any]:
    """Return the expected counts. Some that no other file has are taken from the manifest."""
    given = release.manifest["counts"]
    for pair in silver(release):
        release.counts.add_pair(pair)
    return release.counts.to_dict(
        rejected=given.get("corrections", {}).get("reject"),
        raw=given.get("raw", {}),
        excluded=given.get("excluded", 0),
        conflicts=planned.totals["conflicts"],
        unknown=planned.totals["unknown"],
        unlabeled_left_out=given.get("unlabeled_left_out"),
        reopened=given.get("reopened", 0),
        groups=dict(planned.groups) if "groups" in given else {},
        overlap=overlap_of(planned.pairs, release.language) if "overlap" in given else {},
        grades=planned.grades if AGREEMENT in given else {},
    )


def row_number_differences(release: ReadRelease) -> Iterator[Difference]:
    """Check the row counts in the manifest. Missing files are reported by `file_differences`."""
    files = release.manifest["files"]
    for path in sorted(files.keys() & KNOWN):
        if (release.folder / path).exists():
            given, rows = files[path]["rows"], row_number(release.folder, path)
            if given != rows:
                yield Difference(MANIFEST, f"{path} has {rows} rows, not {given}")


def silver(release: ReadRelease) -> Iterator[ReleasedPair]:
    """Yield the rows of unlabeled_final, with only the fields that are counted."""
    for table in release.tables:
        if table.subset == "unlabeled_final":
            for row in read_tsv(release.folder, table):
                pair = ReleasedPair(str(row[0]), "", "", "silver", label=int(row[3] or 0))
                yield pair._replace(subset=table.subset, split=table.split)


def row_number(folder: Path, path: str) -> int | None:
    """Return the number of rows of a file, for Parquet from its TSV file; None for documents."""
    if path in DOCUMENTS:
        return None
    with (folder / TSV_OF.get(path, path)).open("rb") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(CHUNK), b""))
    return lines - (path not in LINES)


def replayed(release: ReadRelease) -> ReleasePlan:
    """Plan the release again from its settings, sentences and judgments.

    Raises ValueError if the settings cannot be applied.
    """
    judged = (
        PairRow(pair.id, pair.sentence1, pair.sentence2, pair.method, release.tallies[pair.id])
        for pair in release.pairs
        if pair.origin == "judged"
    )
    return plan(release.sentences, judged, settings=release.settings)


def pair_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    """Check that the settings produce exactly these pairs, places and sides."""
    path = PAIRS.path
    if planned.pairs == tuple(release.pairs):
        return
    due = {pair.id: pair for pair in planned.pairs}
    for line, pair in enumerate(release.pairs, start=1):
        if (wanted := due.pop(pair.id, None)) is None:
            yield Difference(path, f"{pair.id} should not be there", line)
            continue
        for name in ReleasedPair._fields:
            value, expected = getattr(pair, name), getattr(wanted, name)
            if value != expected:
                yield Difference(path, f"{name} of {pair.id} is {value!r}, not {expected!r}", line)
    yield from (Difference(path, f"{key} is missing") for key in due)
    if sorted(release.pairs, key=lambda pair: pair.id) == list(planned.pairs):
        yield Difference(path, "the pairs are in another order")
