"""Whether a release is what it says: everything recomputed from its files alone."""

import json
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from annotation.dataset.counts import release_counts
from annotation.dataset.manifest import MANIFEST, Manifest, sha256
from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.reading import ReadRelease, Unreadable, read_manifest, read_release
from annotation.dataset.rows import PairRow, ReleasedPair, SilverPair
from annotation.dataset.rules import REFERENCES, RULES, Difference
from annotation.dataset.tables import TABLES

SHOWN = 20
DOCUMENTS = ("README.md", "croissant.json")
LINES = ("sentences.jsonl", "pairs.jsonl", "judgments.jsonl")
FILES = {*DOCUMENTS, *LINES, *(t.tsv for t in TABLES), *(t.parquet for t in TABLES)}


def verify(release: Path) -> list[Difference]:
    """What differs in a release: a folder, or the same as one .tar.gz. Empty if all is well.

    Checksums, sizes and rows of the manifest; the rules of the format, from votes to splits;
    Parquet against TSV; the counts; and that the settings of the manifest, applied to the sentences
    and judgments, lead to exactly these pairs, subsets, splits and sides. What nothing else
    repeats, such as the wording of the card, is guarded by its checksum alone.

    Of each check at most 20 differences are listed. Checks that need files which cannot be read are
    left out, and why they cannot be read is listed.
    """
    with unpacked(release) as folder:
        return list(differences(folder))


def differences(folder: Path) -> Iterator[Difference]:
    """All that differs, in the order in which one thing builds on another."""
    try:
        yield from some(file_differences(folder, read_manifest(folder)))
        content = read_release(folder)
    except Unreadable as error:
        yield Difference(error.path, error.reason)
        return
    broken = [difference for rule in REFERENCES for difference in some(rule(content))]
    yield from broken
    if broken:
        return
    for rule in RULES:
        yield from some(rule(content))
    yield from some(parquet_differences(content))
    yield from some(croissant_differences(content))
    try:
        planned = replayed(content)
    except ValueError as error:
        yield Difference(MANIFEST, f"the settings cannot be followed: {error}")
        return
    yield from some(pair_differences(content, planned))
    yield from some(manifest_differences(content, planned))


@contextmanager
def unpacked(release: Path) -> Iterator[Path]:
    """The folder of a release, out of its archive if it is one."""
    if release.is_dir():
        yield release
        return
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(release) as archive:
        archive.extractall(scratch, filter="data")
        folders = [path for path in Path(scratch).iterdir() if path.is_dir()]
        yield folders[0] if len(folders) == 1 else Path(scratch)


def some(found: Iterator[Difference]) -> Iterator[Difference]:
    """The first differences, and how many there are beyond them."""
    last = None
    for last in islice(found, SHOWN):
        yield last
    more = sum(1 for _ in found)
    if last is not None and more:
        yield Difference(last.path, f"and {more} more")


def file_differences(folder: Path, manifest: Manifest) -> Iterator[Difference]:
    """Files that are missing, too many, or not as the manifest describes them."""
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}
    described = manifest["files"]
    for path in sorted(there | FILES | described.keys()):
        if path == MANIFEST:
            continue
        if path not in FILES:
            yield Difference(path, "is no file of a release")
        elif path not in there:
            yield Difference(path, "is missing")
        elif path not in described:
            yield Difference(path, "is not in the manifest")
        elif not is_as_described(folder / path, described[path]):
            yield Difference(path, "has another checksum or size than in the manifest")


def is_as_described(path: Path, description: Any) -> bool:
    """Whether a file has the size and the digest that a manifest gives it."""
    return (
        isinstance(description, dict)
        and description.get("bytes") == path.stat().st_size
        and description.get("sha256") == sha256(path)
    )


def parquet_differences(release: ReadRelease) -> Iterator[Difference]:
    """Parquet holds the rows of the TSV file, in columns of the same names."""
    for table in TABLES:
        try:
            columns = pq.read_table(release.folder / table.parquet).to_pydict()
        except (OSError, pa.ArrowException) as error:
            yield Difference(table.parquet, str(error))
            continue
        rows = list(zip(*columns.values(), strict=True))
        if tuple(columns) != table.columns or rows != release.tables[table]:
            yield Difference(table.parquet, f"does not hold the rows of {table.tsv}")


def croissant_differences(release: ReadRelease) -> Iterator[Difference]:
    """croissant.json describes the data files with the digests that the manifest gives them."""
    path = "croissant.json"
    try:
        objects = json.loads((release.folder / path).read_text(encoding="utf-8"))["distribution"]
        described = {item["contentUrl"]: item["sha256"] for item in objects}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        yield Difference(path, f"cannot be read: {error!r}")
        return
    files = release.manifest["files"]
    if described != {name: files[name]["sha256"] for name in FILES - {*DOCUMENTS}}:
        yield Difference(path, "describes other files than the manifest")


def manifest_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    """The manifest counts what is there. Rejections and unjudged pairs left out are not there."""
    manifest, counts = release.manifest, release.manifest["counts"]
    expected = release_counts(
        replace(
            planned,
            pairs=tuple(release.pairs),
            silver=silver(release),
            silver_left_out=counts.get("unlabeled_left_out"),
        ),
        release.passing,
        rejected=counts.get("corrections", {}).get("reject"),
        annotators_per_pair=release.settings.annotators_per_pair,
    )
    for key in sorted(expected.keys() | counts.keys()):
        if counts.get(key) != expected.get(key):
            yield Difference(MANIFEST, f"{key} is {counts.get(key)}, not {expected.get(key)}")
    for key, value in {
        "seed": release.settings.seed,
        "settings": release.settings.to_dict(),
        "simulated": release.passing.simulated > 0,
    }.items():
        if manifest.get(key) != value:
            yield Difference(MANIFEST, f"{key} is {manifest.get(key)}, not {value}")
    for path, rows in row_numbers(release).items():
        if manifest["files"][path].get("rows") != rows:
            yield Difference(MANIFEST, f"{path} has {rows} rows")


def silver(release: ReadRelease) -> tuple[SilverPair, ...]:
    """The rows of unlabeled_final, as far as they are counted."""
    return tuple(
        SilverPair(str(row[0]), "", "", "", int(row[3]), "dev" if table.split == "dev" else "train")
        for table, rows in release.tables.items()
        if table.subset == "unlabeled_final"
        for row in rows
    )


def row_numbers(release: ReadRelease) -> dict[str, int | None]:
    """Rows of each file that the manifest describes."""
    numbers: dict[str, int | None] = dict.fromkeys(DOCUMENTS)
    for table, rows in release.tables.items():
        numbers |= {table.tsv: len(rows), table.parquet: len(rows)}
    return numbers | {
        "sentences.jsonl": release.passing.sentences,
        "pairs.jsonl": len(release.pairs),
        "judgments.jsonl": release.passing.judgments,
    }


def replayed(release: ReadRelease) -> ReleasePlan:
    """What the settings of a release make of its sentences and judgments.

    Raises ValueError where they cannot be followed.
    """
    labels = range(release.settings.max_label + 1)
    judged = (
        PairRow(
            pair.id,
            pair.sentence1,
            pair.sentence2,
            pair.method,
            tuple(release.tallies[pair.id, label] for label in labels),
        )
        for pair in release.pairs
        if pair.origin == "judged"
    )
    return plan(release.sentences, judged, settings=release.settings)


def pair_differences(release: ReadRelease, planned: ReleasePlan) -> Iterator[Difference]:
    """The pairs are those that the settings lead to, each in its place and with its sides."""
    path = "pairs.jsonl"
    due = {pair.id: pair for pair in planned.pairs}
    there = {pair.id: pair for pair in release.pairs}
    yield from (Difference(path, f"{key} should not be there") for key in there if key not in due)
    yield from (Difference(path, f"{key} is missing") for key in due if key not in there)
    for key in (key for key in due if key in there):
        for name in (field.name for field in fields(ReleasedPair)):
            value, wanted = getattr(there[key], name), getattr(due[key], name)
            if value != wanted:
                yield Difference(path, f"{name} of {key} is {value!r}, not {wanted!r}")
    if list(there) != list(due) and there == due:
        yield Difference(path, "the pairs are in another order")
