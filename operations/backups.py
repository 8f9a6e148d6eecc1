"""Backups of the database and the release files.

A backup is a folder, named after its time in UTC, which appears only when it is complete:

    2026-05-04T030000Z/
        manifest.json       version, migrations, digests of all files
        database.dump       Postgres: the custom format of pg_dump; SQLite: database.sqlite3, a copy
        releases/           the files of releases; unchanged ones are hard links to earlier backups
"""

import json
import logging
import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from hashlib import file_digest
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from filelock import lock_descriptor

from operations import dumps, squashes
from operations.dumps import BackupError
from releases.selectors.releases import ARCHIVES

FORMAT = "pawsmith-backup/3"
NAME, TIME = re.compile(r"\d{4}-\d\d-\d\dT\d{6}Z"), "%Y-%m-%dT%H%M%SZ"
UNFINISHED, MANIFEST, RELEASES = ".unfinished", "manifest.json", "releases"
# Backups are made after this hour, local time, and are late if none is as recent as LATE.
HOUR, LATE = 3, timedelta(hours=26)

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup holds: `files` maps each path in its folder to a SHA-256."""

    version: str
    engine: str
    migrations: list[str]
    files: dict[str, str]

    def write(self, file: Path) -> None:
        text = json.dumps({"format": FORMAT, **asdict(self)}, indent=1, sort_keys=True)
        file.write_text(text + "\n")

    @classmethod
    def read(cls, file: Path) -> "Manifest":
        """Raise BackupError if the file is missing or damaged."""
        try:
            fields = json.loads(file.read_text())
            if (file_format := fields.pop("format")) != FORMAT:
                raise ValueError(f"its format is {file_format}, not {FORMAT}")
            return cls(**fields)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BackupError(f"{file} is not a manifest of a backup: {error!r}") from error

    @property
    def of_releases(self) -> list[str]:
        return [path for path in self.files if path.startswith(f"{RELEASES}/")]


@dataclass(frozen=True, slots=True)
class Backup:
    folder: Path

    @property
    def made_at(self) -> datetime:
        return datetime.strptime(self.folder.name, TIME).replace(tzinfo=UTC)

    @property
    def manifest(self) -> Manifest:
        return Manifest.read(self.folder / MANIFEST)

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.folder.rglob("*"))


def folder() -> Path | None:
    return Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None


def all_in(target: Path) -> list[Backup]:
    paths = sorted(target.iterdir()) if target.is_dir() else []
    return [Backup(path) for path in paths if NAME.fullmatch(path.name)]


def newest(place: Path | None = None) -> Backup | None:
    """Return the newest backup in `place` or in the configured folder; None if there is none."""
    place = place or folder()
    return next(reversed(all_in(place)), None) if place else None


def make(target: Path, *, kept: int) -> Backup:
    """Back up the database and the release files into `target`, while others work with both.

    Deletes the oldest backups there, so that `kept` remain. Raises BackupError.
    """
    try:
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _lock_folder(target):
            backup = _make_backup(target)
            for old in all_in(target)[:-kept]:
                _remove(old)
            return backup
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"The backup could not be written: {error}") from error


def restore(backup: Backup) -> None:
    """Restore the database and the release files. Nothing is overwritten.

    Raises BackupError before anything is changed if the backup is damaged, of another engine or of
    a newer version, if the database is not empty, or if release files exist and differ.
    """
    manifest = _check_backup(backup)
    paths = {path: _target(path) for path in manifest.of_releases}
    existing = {path for path, target in paths.items() if target.exists()}
    differing = [path for path in existing if _digest(paths[path]) != manifest.files[path]]
    if differing:
        raise BackupError(f"Files of releases exist and differ: {', '.join(sorted(differing))}.")
    if connection.introspection.table_names():
        raise BackupError("The database is not empty. A backup is restored into an empty one.")
    dumps.load(backup.folder / dumps.FILES[manifest.engine])
    for path in paths.keys() - existing:
        paths[path].parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(backup.folder / path, paths[path])


def is_due(now: datetime) -> bool:
    """Return whether backups are configured and none was made since the last HOUR o'clock."""
    here = timezone.localtime(now)
    night = here.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return _newest_is_before(night if night <= here else night - timedelta(days=1))


def is_late(now: datetime) -> bool:
    """Return whether backups are configured and there is none from the period LATE."""
    return _newest_is_before(now - LATE)


def back_up_when_due() -> None:
    """Make tonight's backup unless it exists. A failure is logged; the next call tries again."""
    target, now = folder(), timezone.now()
    if target is None or not is_due(now):
        return
    try:
        backup = make(target, kept=settings.BACKUPS_KEPT)
    except BackupError as error:
        late = " The last one is more than 26 hours old." if is_late(now) else ""
        logger.error("The backup failed: %s%s", error, late)
    else:
        logger.info("Backed up to %s", backup.folder.name)


def _newest_is_before(moment: datetime) -> bool:
    backup = newest()
    return folder() is not None and (backup is None or backup.made_at < moment)


def _make_backup(target: Path) -> Backup:
    backup = Backup(target / timezone.now().strftime(TIME))
    unfinished = target / UNFINISHED
    shutil.rmtree(unfinished, ignore_errors=True)  # left by a backup that was killed
    unfinished.mkdir(mode=0o700)
    try:
        migrations = MigrationRecorder(connection).applied_migrations()
        if not migrations:
            raise BackupError("There is nothing in the database.")
        dump = unfinished / dumps.FILES[connection.vendor]
        dumps.write(dump)
        # Rows first: then the files of every release in the rows are included.
        files = _copy_releases(unfinished, before=newest(target)) | {dump.name: _digest(dump)}
        names = [".".join(migration) for migration in migrations]
        manifest = Manifest(settings.VERSION, connection.vendor, names, files)
        manifest.write(unfinished / MANIFEST)
        os.sync()
        unfinished.rename(backup.folder)
        os.sync()
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return backup


def _copy_releases(target: Path, *, before: Backup | None) -> dict[str, str]:
    """Copy all release files into `target`, and return their digests by path.

    A file that the backup `before` has is linked to it. A file that disappears meanwhile belonged
    to a withdrawn release.
    """
    known_digests, digests = {}, {}
    with suppress(BackupError):  # of another format, or damaged
        known_digests = before.manifest.files if before else {}
    for source in _release_files():
        path = f"{RELEASES}/{source.relative_to(settings.RELEASES_DIR)}"
        copy = target / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            if before and path in known_digests and _is_same(source, before.folder / path):
                os.link(before.folder / path, copy)
                digests[path] = known_digests[path]
            else:
                shutil.copy2(source, copy)
                digests[path] = _digest(copy)
    return digests


def _release_files() -> Iterator[Path]:
    """Yield the files of all releases; folders of unfinished ones begin with a dot."""
    for place, folders, files in os.walk(settings.RELEASES_DIR):
        folders[:] = [name for name in folders if name == ARCHIVES or not name.startswith(".")]
        yield from (Path(place, name) for name in files)


def _is_same(source: Path, copy: Path) -> bool:
    """Return whether size and modification time are equal; copies keep both."""
    if not copy.is_file():
        return False
    one, other = source.stat(), copy.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def _remove(backup: Backup) -> None:
    """Rename before deleting, so that an interruption leaves no incomplete backup."""
    unfinished = backup.folder.with_name(UNFINISHED)
    backup.folder.rename(unfinished)
    shutil.rmtree(unfinished)


def _check_backup(backup: Backup) -> Manifest:
    """Return the manifest. Raises BackupError if the backup is damaged or does not fit."""
    manifest = backup.manifest
    damaged = [
        path
        for path, digest in manifest.files.items()
        if not (file := backup.folder / path).is_file() or _digest(file) != digest
    ]
    if damaged:
        raise BackupError(f"The backup is damaged: {', '.join(damaged)}.")
    if manifest.engine != connection.vendor:
        raise BackupError(
            f"The backup is of {manifest.engine}, the database is {connection.vendor}."
        )
    names = {".".join(migration) for migration in squashes.all_names()}
    if unknown := sorted({*manifest.migrations} - names):
        raise BackupError(
            f"The backup was made by version {manifest.version}, which has migrations that this"
            f" version lacks: {', '.join(unknown)}."
        )
    return manifest


def _target(path: str) -> Path:
    return Path(settings.RELEASES_DIR) / path.removeprefix(f"{RELEASES}/")


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()


@contextmanager
def _lock_folder(target: Path) -> Iterator[None]:
    """Lock the folder. Raises BackupError while another backup is being made in it."""
    descriptor = os.open(target, os.O_RDONLY)
    try:
        if not lock_descriptor(descriptor, blocking=False):
            raise BackupError(f"Another backup is being made in {target}.")
        yield
    finally:
        os.close(descriptor)
