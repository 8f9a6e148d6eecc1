"""Writes the files of a release of a published set: the same set gives the same bytes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from releases.dataset.croissant import croissant
from releases.dataset.files import Table
from releases.dataset.formats import PUBLISHED
from releases.dataset.manifest import (
    MANIFEST,
    Manifest,
    ReleaseFacts,
    as_json,
    describe_files,
    manifest,
    table_counts,
)
from releases.dataset.published.card import card
from releases.dataset.published.croissant import documented
from releases.dataset.published.files import tables
from releases.dataset.published.findings import find
from releases.dataset.published.pairs import PublishedPair
from releases.dataset.published.reading import PublishedSet
from releases.dataset.published.settings import Source
from releases.dataset.shared_words import measure_overlap
from releases.dataset.writers import (
    RowNumbers,
    TableFiles,
    new_folder,
    open_table,
    write_documents,
    write_text,
)

# More different labels than this are not counted one by one.
MOST_LABELS = 100


def write_published(
    folder: Path, published_set: PublishedSet, *, facts: ReleaseFacts, source: Source
) -> Manifest:
    """Write a release to a new folder, which appears when it is complete; return its manifest.

    Raises FileExistsError if the folder has files.
    """
    settings, pairs = published_set.settings, published_set.pairs
    counts = counts_of(pairs, facts.language) | published_set.counts.to_dict()
    release_tables = tables(settings.further)
    with new_folder(folder) as root:
        files = describe_files(root, write_tables(root, pairs, release_tables))
        described = croissant(
            facts,
            files,
            tables=release_tables,
            line_files=(),
            properties=lambda: documented(facts, settings, counts, source),
        )
        files = write_documents(
            root,
            facts,
            files,
            card=card(facts, settings, counts, source=asdict(source)),
            croissant=described | ({"url": source.address} if source.address else {}),
        )
        contents = manifest(
            facts,
            settings,
            counts=counts,
            simulated=False,
            files=files,
            format_name=PUBLISHED.name,
        )
        contents["source"] = asdict(source)
        write_text(root / MANIFEST, as_json(contents))
    return contents


def write_tables(
    root: Path, pairs: Iterable[PublishedPair], release_tables: Sequence[Table]
) -> RowNumbers:
    """Write both files of each table that has rows."""
    tables_by_place = {(table.subset, table.split): table for table in release_tables}
    files: dict[Table, TableFiles] = {}
    with ExitStack() as stack:
        for pair in pairs:
            table = tables_by_place[pair.place]
            if table not in files:
                files[table] = stack.enter_context(open_table(root, table))
            files[table].add(table.row(pair))
    return {path: files[table].rows for table in files for path in (table.tsv, table.parquet)}


def counts_of(pairs: Sequence[PublishedPair], language: str) -> dict[str, Any]:
    """Return what the tables alone tell."""
    overlap = measure_overlap(pairs, language)  # type: ignore[arg-type]
    return counts_without_words(pairs) | ({"overlap": overlap} if overlap else {})


def counts_without_words(pairs: Sequence[PublishedPair]) -> dict[str, Any]:
    """Return what the tables alone tell, but for how words overlap."""
    by_table: Counter[tuple[str, str, int | None]] = Counter(
        (*pair.place, pair.label) for pair in pairs
    )
    return {
        "subsets": table_counts(by_table, tables()),
        "published_labels": _count_labels(pairs),
        "findings": find(pairs).to_dict(),
    }


def _count_labels(pairs: Iterable[PublishedPair]) -> Mapping[str, Mapping[str, int]]:
    """Count the published labels of each split; none if they are too many to list."""
    numbers = Counter((pair.split, pair.published_label) for pair in pairs)
    if len(numbers) > MOST_LABELS:
        return {}
    counts: dict[str, dict[str, int]] = {}
    for (split, label), number in sorted(numbers.items()):
        counts.setdefault(split, {})[label] = number
    return counts
