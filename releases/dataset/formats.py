"""The formats of releases: the files of each. manifest.json names that of its release.

A release is written again in the version that it was frozen in, so no version ever changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from releases.dataset import files
from releases.dataset.files import (
    CFF,
    LABELED_FINAL,
    PAPER,
    ZENODO,
    LineFile,
    ReleaseKind,
    Table,
    described_for,
    format_names,
)
from releases.dataset.published import files as published
from releases.dataset.settings import NEWEST_LAYOUT, ReleaseSettings
from releases.dataset.tables import tables
from releases.dataset.translated import files as translated

ALWAYS, CITATIONS = ("README.md", "croissant.json"), (CFF, ZENODO)
DOCUMENTS = (*ALWAYS, *CITATIONS, PAPER)


@dataclass(frozen=True)
class Format:
    """The files of a format in one version. Optional tables without rows are left out.

    `labelled` is the main subset of the release, which models are trained on and tested
    with.
    """

    kind: ReleaseKind
    version: int
    labelled: str
    tables: tuple[Table, ...]
    line_files: tuple[LineFile[Any], ...]
    optional: bool = False

    @property
    def name(self) -> str:
        return f"{self.kind}/{self.version}"

    @cached_property
    def lines(self) -> frozenset[str]:
        return frozenset(file.path for file in self.line_files)

    @cached_property
    def tsv_of(self) -> Mapping[str, str]:
        return {table.parquet: table.tsv for table in self.tables}

    @property
    def has_paper(self) -> bool:
        """Whether the card tells the methods, and a file in LaTeX too."""
        return self.version > 1

    @cached_property
    def known(self) -> frozenset[str]:
        documents = {*DOCUMENTS} if self.has_paper else {*DOCUMENTS} - {PAPER}
        return frozenset({*documents, *self.lines, *self.tsv_of, *self.tsv_of.values()})

    @cached_property
    def required(self) -> frozenset[str]:
        absent = {file.path for file in self.line_files if file.optional} | {*CITATIONS}
        tables = {*self.tsv_of, *self.tsv_of.values()} if self.optional else set()
        return self.known - absent - tables


def _release(version: int) -> Format:
    line_files = tuple(
        file.at_version(version) for file in files.LINE_FILES if file.since <= version
    )
    return Format(ReleaseKind.RELEASE, version, LABELED_FINAL, tables(version=version), line_files)


def _translation(version: int) -> Format:
    return Format(
        ReleaseKind.TRANSLATION,
        version,
        translated.TRANSLATED,
        translated.TABLES,
        tuple(file.at_version(version) for file in translated.LINE_FILES),
        optional=True,
    )


PUBLISHED = Format(ReleaseKind.PUBLISHED, 1, LABELED_FINAL, published.tables(), (), optional=True)
FORMATS: Mapping[str, Format] = {
    release_format.name: release_format
    for release_format in (_release(1), _release(2), _translation(1), _translation(2), PUBLISHED)
}
# Of new releases.
RELEASE = FORMATS[format_names(ReleaseKind.RELEASE)[-1]]
TRANSLATION = FORMATS[format_names(ReleaseKind.TRANSLATION)[-1]]
EVERY_FILE = frozenset[str]().union(
    *(release_format.known for release_format in FORMATS.values()),
    (table.parquet for table in tables(ReleaseSettings(layout=NEWEST_LAYOUT))),
)
WITH_LABELED_FINAL = tuple(
    name for name, release_format in FORMATS.items() if release_format.labelled == LABELED_FINAL
)


def with_settings(release_format: Format, settings: ReleaseSettings) -> Format:
    """Return a format of judged pairs with the tables and the descriptions of one release."""
    line_files = tuple(described_for(settings.scheme, file) for file in release_format.line_files)
    release_tables = tables(settings, release_format.version)
    return replace(release_format, tables=release_tables, line_files=line_files)


def format_of(manifest: Mapping[str, Any]) -> Format:
    """Return the format of a manifest that was read."""
    return FORMATS[manifest["format"]]
