"""Writes the files of a release of a published set: the same set gives the same bytes."""

from dataclasses import asdict
from pathlib import Path

from releases.dataset.croissant import croissant
from releases.dataset.facts import ReleaseFacts
from releases.dataset.folders import new_folder
from releases.dataset.formats import PUBLISHED
from releases.dataset.manifest import Manifest, describe_files
from releases.dataset.published.card import card
from releases.dataset.published.croissant import documented
from releases.dataset.published.files import tables
from releases.dataset.published.findings import counts_of
from releases.dataset.published.reading import PublishedSet
from releases.dataset.published.settings import Source
from releases.dataset.table_files import write_tables
from releases.dataset.writers import write_documents


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
        return write_documents(
            root,
            facts,
            settings,
            files,
            counts=counts,
            simulated=False,
            format_name=PUBLISHED.name,
            card=card(facts, settings, counts, source=asdict(source)),
            croissant=described | ({"url": source.address} if source.address else {}),
            further={"source": asdict(source)},
        )
