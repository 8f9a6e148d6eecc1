"""The formats of releases: the files of each. manifest.json names that of its release."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from releases.dataset import files
from releases.dataset.files import CFF, FORMAT, ZENODO, LineFile, Table
from releases.dataset.translated import files as translated

ALWAYS, CITATIONS = ("README.md", "croissant.json"), (CFF, ZENODO)
DOCUMENTS = (*ALWAYS, *CITATIONS)


@dataclass(frozen=True)
class Format:
    """The files of a format. Optional tables without rows are left out."""

    name: str
    tables: tuple[Table, ...]
    line_files: tuple[LineFile[Any], ...]
    optional: bool = False

    @cached_property
    def lines(self) -> frozenset[str]:
        return frozenset(file.path for file in self.line_files)

    @cached_property
    def tsv_of(self) -> Mapping[str, str]:
        return {table.parquet: table.tsv for table in self.tables}

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset({*DOCUMENTS, *self.lines, *self.tsv_of, *self.tsv_of.values()})

    @cached_property
    def required(self) -> frozenset[str]:
        absent = {file.path for file in self.line_files if file.optional} | {*CITATIONS}
        tables = {*self.tsv_of, *self.tsv_of.values()} if self.optional else set()
        return self.known - absent - tables


RELEASE = Format(FORMAT, files.TABLES, files.LINE_FILES)
TRANSLATION = Format(translated.FORMAT, translated.TABLES, translated.LINE_FILES, optional=True)
FORMATS: Mapping[str, Format] = {
    release_format.name: release_format for release_format in (RELEASE, TRANSLATION)
}
EVERY_FILE = RELEASE.known | TRANSLATION.known
