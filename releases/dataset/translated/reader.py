"""Reads the files of a release of translations."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from releases.dataset.files import LineFile, Row, Table
from releases.dataset.manifest import MANIFEST, Manifest
from releases.dataset.reader import FIRST_ROW, Unreadable, read_rows, read_tsv, version_of
from releases.dataset.translated.files import (
    SENTENCES,
    UNTRANSLATED,
    VALIDATIONS,
    TranslationSettings,
    tables,
)
from releases.dataset.translated.rows import TranslationRow, UntranslatableRow, ValidationRow

NumberedRows = list[tuple[int, Row]]


@dataclass(frozen=True, slots=True)
class ReadTranslations:
    """The content of the files of a release of translations.

    `tables` has the rows of each table that is there, with their line numbers.
    """

    folder: Path
    manifest: Manifest
    settings: TranslationSettings
    sentences: list[TranslationRow]
    untranslated: list[UntranslatableRow]
    validations: list[ValidationRow]
    tables: Mapping[Table, NumberedRows]

    def tables_of(self, subset: str) -> dict[Table, NumberedRows]:
        """Return the tables of a subset."""
        return {table: rows for table, rows in self.tables.items() if table.subset == subset}


def read_translations(folder: Path, manifest: Manifest) -> ReadTranslations:
    """Read a release whose manifest was read. Raises Unreadable."""
    settings, version = read_settings(manifest), version_of(manifest)
    release_tables = [table for table in tables(settings.scheme) if _has(folder, table)]
    return ReadTranslations(
        folder=folder,
        manifest=manifest,
        settings=settings,
        sentences=_rows(folder, SENTENCES, version),
        untranslated=_rows(folder, UNTRANSLATED, version),
        validations=_rows(folder, VALIDATIONS, version),
        tables={
            table: list(enumerate(read_tsv(folder, table), FIRST_ROW)) for table in release_tables
        },
    )


def read_settings(manifest: Manifest) -> TranslationSettings:
    """Return the settings and the source of a manifest. Raises Unreadable."""
    for key in ("source", "word_errors", "left_out", "collapsed"):
        if not isinstance(manifest.get(key), dict):
            raise Unreadable(MANIFEST, f"no {key}")
    try:
        source = {"source": manifest["source"]}
        return TranslationSettings.from_dict(manifest["settings"] | source)
    except (TypeError, ValueError) as error:
        raise Unreadable(MANIFEST, f"settings: {error}") from error


def _has(folder: Path, table: Table) -> bool:
    return any((folder / path).exists() for path in (table.tsv, table.parquet))


def _rows(folder: Path, file: LineFile[Any], version: int) -> list[Any]:
    """Return the rows of a file; an optional one may be missing."""
    if file.optional and not (folder / file.path).exists():
        return []
    return list(read_rows(folder, file, version=version))
