"""Creation of a backup: written under a temporary name, renamed when complete and on disk."""

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.backups import databases, files, folders
from operations.backups.folders import Backup
from operations.backups.manifest import BackupError, Manifest

UNFINISHED = ".unfinished"
LOCK = ".lock"


def make(folder: Path, *, kept: int) -> Backup:
    """Back up the database and the release files into `folder`, which holds backups only.

    Deletes the oldest backups so that `kept` remain, including this one. Raises BackupError.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _alone(folder):
            backup = _made(folder)
            _rotate(folder, kept)
            return backup
    except OSError as error:
        raise BackupError(f"The backup could not be written: {error}") from error


def _made(folder: Path) -> Backup:
    backup = Backup(folder / folders.name_at(timezone.now()))
    if backup.folder.exists():
        raise BackupError(f"{backup.folder} was made in the same second.")
    unfinished = folder / UNFINISHED
    # Left by a backup that was interrupted.
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    try:
        _fill(unfinished, backup, before=folders.newest(folder))
        unfinished.rename(backup.folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    files.flush(folder)
    return backup


def _fill(unfinished: Path, backup: Backup, *, before: Backup | None) -> None:
    """Write the rows, then the files, so that the files of every release in the rows are included.

    Files of a release that is frozen in between are included too, which does no harm.
    """
    database = databases.ours()
    file = unfinished / folders.DATABASE[database.engine]
    census = database.dump(file)
    files.flush(file)
    releases = files.keep(
        Path(settings.RELEASES_DIR),
        unfinished / folders.RELEASES,
        before=before.releases if before else unfinished,
        known=before.manifest().releases if before else {},
    )
    stored = files.described(file)
    manifest = unfinished / folders.MANIFEST
    Manifest(backup.made_at, settings.VERSION, database.engine, census, stored, releases).write(
        manifest
    )
    files.flush(manifest)
    files.flush_folders(unfinished)


def _rotate(folder: Path, kept: int) -> None:
    for old in folders.all_in(folder)[:-kept]:
        # Rename first, so that an interrupted deletion leaves no incomplete backup.
        gone = folder / UNFINISHED
        old.folder.rename(gone)
        shutil.rmtree(gone)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock the folder. Raises BackupError while another backup is being made in it."""
    descriptor = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise BackupError(f"A backup is being made in {folder} already.") from error
    finally:
        os.close(descriptor)
