"""Verifies a release of a published set: by its files alone, and against the published files."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from releases.dataset.checks import (
    description_differences,
    parquet_differences,
    part_differences,
    row_number_differences,
)
from releases.dataset.files import Table
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.published.archives import unpacked
from releases.dataset.published.files import tables
from releases.dataset.published.findings import counts_of
from releases.dataset.published.layout import name_tables
from releases.dataset.published.pairs import PublishedPair, namespace_of
from releases.dataset.published.reading import choices_of, files_at, read_set
from releases.dataset.published.rules import Rule
from releases.dataset.published.settings import PublishedSettings, UnusableSet
from releases.dataset.published.values import Cells, Dropped
from releases.dataset.reader import (
    FIRST_ROW,
    Difference,
    Unreadable,
    first_differences,
    read_tsv,
)
from releases.dataset.rows import SPLITS
from releases.dataset.sources import read_published_settings

# Counts that the published files alone tell.
OF_READING = ("changed", "refused", "left_out", "splits_without_labels")
Rows = dict[Table, list[PublishedPair]]


def content_differences(
    folder: Path, manifest: Manifest, source: Path | None
) -> Iterator[Difference]:
    """Yield the differences in the files, and from the published files if they are named.

    Raises Unreadable.
    """
    settings = read_published_settings(manifest)
    release_tables = [table for table in tables(settings.further) if (folder / table.tsv).exists()]
    rows = {table: list(_read_pairs(folder, table)) for table in release_tables}
    yield from first_differences(parquet_differences(folder, release_tables))
    yield from first_differences(description_differences(folder, manifest, release_tables, ()))
    yield from first_differences(_id_differences(rows, manifest, settings))
    yield from first_differences(_label_differences(rows, settings))
    yield from _count_differences(rows, manifest)
    yield from row_number_differences(folder, manifest)
    if source is not None:
        yield from first_differences(_source_differences(rows, manifest, settings, source))


def _read_pairs(folder: Path, table: Table) -> Iterator[PublishedPair]:
    """Yield the rows of a table. Raises Unreadable."""
    names = [column.attribute or column.name for column in table.columns]
    places = [at for at, name in enumerate(names) if name in PublishedPair._fields]
    fields = [names[at] for at in places]
    for line, row in enumerate(read_tsv(folder, table), FIRST_ROW):
        values: dict[str, Any] = {name: row[at] for name, at in zip(fields, places, strict=True)}
        pair = PublishedPair(**{"published_label": ""} | values)
        if pair.split not in SPLITS or pair.place != table.place:
            raise Unreadable(table.tsv, f"{pair.id} does not belong into this table", line)
        if table.row(pair) != row:
            raise Unreadable(table.tsv, f"soft_label of {pair.id} is not the share of votes", line)
        yield pair


def _id_differences(
    rows: Rows, manifest: Manifest, settings: PublishedSettings
) -> Iterator[Difference]:
    """Check that ids are unique, and those of pairs with an own id follow from it."""
    namespace = namespace_of(str(manifest.get("name")), str(manifest.get("version")))
    ids: set[str] = set()
    for table, line, pair in _numbered(rows):
        if pair.id in ids:
            yield Difference(table.tsv, f"{pair.id} occurs before", line)
        ids.add(pair.id)
        splits = {pair.split, "train"} if pair.split in settings.draw else {pair.split}
        if pair.published_id and pair.id not in _ids(namespace, splits, pair.published_id):
            what = f"{pair.id} is not the id of {pair.published_id} of {pair.split}"
            yield Difference(table.tsv, what, line)


def _ids(namespace: UUID, splits: Iterable[str], key: str) -> set[str]:
    return {str(uuid5(namespace, f"{split}\n{key}")) for split in splits}


def _label_differences(rows: Rows, settings: PublishedSettings) -> Iterator[Difference]:
    """Check that label, grade, score, mean and votes follow from what was published."""
    rule = _rule(settings)
    for table, line, pair in _numbered(rows):
        values = rule.decide(_cells(pair, settings))
        if isinstance(values, Dropped):
            what = f"{pair.id} has no label that its settings understand"
            yield Difference(table.tsv, what, line)
            continue
        for name, value in values._asdict().items():
            is_told = value is not None or name == "label"
            if is_told and getattr(pair, name) != value:
                what = f"{name} of {pair.id} is {getattr(pair, name)}, not {value}"
                yield Difference(table.tsv, what, line)


def _rule(settings: PublishedSettings) -> Rule:
    return Rule(
        role=settings.decides,
        form=settings.form,
        number_form=settings.number_form,
        names=settings.labels,
        paraphrase_from=settings.paraphrase_from,
        votes=settings.votes,
        votes_of=settings.votes_of,
    )


def _cells(pair: PublishedPair, settings: PublishedSettings) -> Cells:
    """Return the cells of the published row, as far as the release repeats them."""
    number = pair.score if pair.grade is None else pair.grade
    grade = "" if number is None else repr(number)
    if settings.decides == "label":
        return Cells(pair.published_label, grade)
    return Cells(grade=grade) if settings.decides == "grade" else Cells(votes=pair.published_label)


def _numbered(rows: Rows) -> Iterator[tuple[Table, int, PublishedPair]]:
    for table, pairs in rows.items():
        for line, pair in enumerate(pairs, FIRST_ROW):
            yield table, line, pair


def _count_differences(rows: Rows, manifest: Manifest) -> Iterator[Difference]:
    pairs = [pair for pairs in rows.values() for pair in pairs]
    counts = counts_of(pairs, str(manifest.get("language", "")))
    of_reading = {name: manifest["counts"].get(name) for name in OF_READING}
    yield from part_differences(manifest["counts"], counts | of_reading)
    expected = {"simulated": False, "seed": manifest["settings"]["seed"]}
    yield from part_differences({name: manifest.get(name) for name in expected}, expected)


def _source_differences(
    rows: Rows, manifest: Manifest, settings: PublishedSettings, source: Path
) -> Iterator[Difference]:
    """Read the published files again by the settings, and compare every row."""
    name, version = str(manifest["name"]), str(manifest["version"])
    try:
        with unpacked([source]) as paths:
            files = files_at(name_tables(paths), map(asdict, settings.files))
            published_set = read_set(files, choices_of(settings), name=name, version=version)
    except UnusableSet as error:
        yield Difference(MANIFEST, f"the published files differ: {error}")
        return
    for table in tables(settings.further):
        published_pairs = [pair for pair in published_set.pairs if pair.place == table.place]
        yield from _row_differences(table, rows.get(table, []), published_pairs)
    of_reading = {name: manifest["counts"].get(name) for name in OF_READING}
    yield from part_differences(of_reading, published_set.counts.to_dict())
    for file, source_file in zip(settings.files, published_set.settings.files, strict=True):
        if file.sha256 != source_file.sha256:
            yield Difference(MANIFEST, f"the published {file.name} has another checksum")
        elif file.rows != source_file.rows:
            what = f"{file.name} has {source_file.rows:,} rows, not {file.rows:,}"
            yield Difference(MANIFEST, what)
    settings_read = replace(published_set.settings, files=settings.files)
    yield from part_differences(settings.to_dict(), settings_read.to_dict())


def _row_differences(
    table: Table, pairs: Sequence[PublishedPair], published_pairs: Sequence[PublishedPair]
) -> Iterator[Difference]:
    for line, (pair, published_pair) in enumerate(zip_longest(pairs, published_pairs), FIRST_ROW):
        if pair is None or published_pair is None:
            what = "a published row is missing" if pair is None else "the row was not published"
            yield Difference(table.tsv, what, line)
            continue
        cells = zip(table.names, table.row(pair), table.row(published_pair), strict=True)
        for name, cell, published_cell in cells:
            if cell != published_cell:
                what = f"{name} is {cell}, published is {published_cell}"
                yield Difference(table.tsv, what, line)
