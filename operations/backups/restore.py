"""Restoring a backup into an empty database, and comparing every row."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from django.db.migrations.loader import MigrationLoader

from operations.backups import files
from operations.backups.databases import Database
from operations.backups.folders import Backup
from operations.backups.manifest import BackupError, Census, Manifest


@dataclass(frozen=True, slots=True)
class Restored:
    """The result: seconds to write and to compare the rows, and the database size in bytes."""

    manifest: Manifest
    census: Census
    seconds: float
    seconds_compared: float
    size: int

    @property
    def differing(self) -> list[str]:
        return self.manifest.census.differing(self.census)


def restore(backup: Backup, *, into: Database, releases: Path) -> Restored:
    """Restore the database and the release files. Nothing is overwritten.

    Raises BackupError before anything is changed: if the backup is damaged, of another engine or of
    a newer version, if the database is not empty, or if release files exist and differ.
    """
    manifest = backup.manifest()
    refuse_damaged(backup, manifest)
    _refuse_newer(manifest)
    if others := list(_others(manifest, releases)):
        raise BackupError(f"Files of releases are there and differ: {', '.join(others)}.")
    restored = restore_rows(backup, manifest, into=into)
    for path in manifest.releases:
        if not (releases / path).exists():
            files.copy(backup.releases / path, releases / path)
    return restored


def restore_rows(backup: Backup, manifest: Manifest, *, into: Database) -> Restored:
    """Restore the database only. Raises BackupError if its engine differs or it is not empty."""
    if manifest.engine != into.engine:
        raise BackupError(f"The backup is one of {manifest.engine}, the database {into.engine}.")
    if not into.is_empty():
        raise BackupError("The database is not empty. A backup is restored into an empty one.")
    began = monotonic()
    into.restore(backup.database(manifest.engine))
    written = monotonic()
    census = into.census()
    return Restored(manifest, census, written - began, monotonic() - written, into.size())


def refuse_damaged(backup: Backup, manifest: Manifest) -> None:
    """Raise BackupError with the names of files that differ from the manifest."""
    stored = {backup.database(manifest.engine): manifest.database}
    stored |= {backup.releases / path: entry for path, entry in manifest.releases.items()}
    wrong = [
        str(file.relative_to(backup.folder))
        for file, entry in stored.items()
        if not file.is_file() or files.described(file) != entry
    ]
    if wrong:
        raise BackupError(f"The backup is damaged: {', '.join(wrong)}.")


def _refuse_newer(manifest: Manifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    if unknown := sorted(set(manifest.census.migrations) - known):
        raise BackupError(
            f"The backup was made by version {manifest.version}, which knows migrations that this"
            f" one does not: {', '.join(unknown)}."
        )


def _others(manifest: Manifest, releases: Path) -> Iterator[str]:
    for path, entry in manifest.releases.items():
        if (releases / path).exists() and files.described(releases / path) != entry:
            yield path
