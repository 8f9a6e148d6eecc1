"""The formats of releases: files and preview of each. manifest.json names that of its release."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from releases.dataset import files, preview
from releases.dataset.citations import CFF, ZENODO
from releases.dataset.files import LineFile, Table
from releases.dataset.manifest import FORMAT
from releases.dataset.preview import Preview
from releases.dataset.translated import files as translated
from releases.dataset.translated import preview as translations

ALWAYS, CITATIONS = ("README.md", "croissant.json"), (CFF, ZENODO)
DOCUMENTS = (*ALWAYS, *CITATIONS)


@dataclass(frozen=True)
class Format:
    """The files of a format, and its preview. Optional tables without rows are left out."""

    name: str
    preview: Callable[[Any, Any], Preview]
    tables: tuple[Table, ...]
    line_files: tuple[LineFile[Any], ...]
    optional: bool = False

    @cached_property
    def lines(self) -> frozenset[str]:
        """The paths of the JSONL files, which have no header."""
        return frozenset(file.path for file in self.line_files)

    @cached_property
    def tsv_of(self) -> Mapping[str, str]:
        """The TSV file with the rows of each Parquet file."""
        return {table.parquet: table.tsv for table in self.tables}

    @cached_property
    def known(self) -> frozenset[str]:
        """The paths of all files that a release may have beside its manifest."""
        return frozenset({*DOCUMENTS, *self.lines, *self.tsv_of, *self.tsv_of.values()})

    @cached_property
    def required(self) -> frozenset[str]:
        """The paths of the files that every release has."""
        absent = {file.path for file in self.line_files if file.optional} | {*CITATIONS}
        tables = {*self.tsv_of, *self.tsv_of.values()} if self.optional else set()
        return self.known - absent - tables


RELEASE = Format(FORMAT, preview.of, files.TABLES, files.LINE_FILES)
TRANSLATION = Format(
    translated.FORMAT, translations.of, translated.TABLES, translated.LINE_FILES, optional=True
)
FORMATS: Mapping[str, Format] = {each.name: each for each in (RELEASE, TRANSLATION)}
EVERY_FILE = RELEASE.known | TRANSLATION.known
