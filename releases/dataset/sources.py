"""The labelled pairs of a release, which translations and rankings are made of."""

from collections.abc import Collection, Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from releases.dataset.files import LABELED_FINAL, ReleaseKind, Table
from releases.dataset.formats import WITH_LABELED_FINAL, format_of
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.published import files as published
from releases.dataset.published.settings import PublishedSettings
from releases.dataset.reader import Unreadable, read_manifest, read_settings, read_tsv
from releases.dataset.rows import SPLITS, Split
from releases.dataset.tables import tables


class LabelledPair(NamedTuple):
    """A row of labeled_final. Label 1 is a paraphrase."""

    split: Split
    id: str
    sentence1: str
    sentence2: str
    label: int


def labelled(folder: Path, splits: Collection[str] = SPLITS) -> Iterator[LabelledPair]:
    """Yield the pairs of labeled_final in the order of its files, whatever further columns it has.

    A split without a file has none. Raises Unreadable if the folder holds no release of pairs, or a
    table does not follow its format.
    """
    for table in _tables(read_manifest(folder, *WITH_LABELED_FINAL)):
        if table.subset != LABELED_FINAL or table.split not in splits:
            continue
        if (folder / table.tsv).exists():
            cells = itemgetter(*map(table.names.index, LabelledPair._fields[1:]))
            for row in read_tsv(folder, table):
                yield LabelledPair(table.split, *cells(row))


def _tables(manifest: Manifest) -> tuple[Table, ...]:
    release_format = format_of(manifest)
    if release_format.kind is ReleaseKind.PUBLISHED:
        return published.tables(read_published_settings(manifest).further)
    return tables(read_settings(manifest), release_format.version)


def read_published_settings(manifest: Manifest) -> PublishedSettings:
    """Return the settings in the manifest of a published set. Raises Unreadable."""
    try:
        return PublishedSettings.from_dict(manifest["settings"])
    except (TypeError, KeyError, IndexError) as error:
        raise Unreadable(MANIFEST, f"settings: {error!r}") from error
