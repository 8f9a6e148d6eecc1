"""Deletes uploads that never arrived or were never imported, and files of deleted imports."""

import shutil
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from annotation.errors import Refused
from annotation.imports.services import uploads
from annotation.models import Import, Project

DRAFT_DAYS = 7
# A folder is written before its row is stored.
NEW = timedelta(days=1)
# An upload that is still arriving, or being copied, was changed more recently than this.
ARRIVING = timedelta(hours=1)


def prune() -> int:
    """Discard old drafts and delete files that nothing refers to. Returns how many there were."""
    return _discard_drafts() + _delete_folders() + _delete_arrivals()


def _discard_drafts() -> int:
    oldest, number = timezone.now() - timedelta(days=DRAFT_DAYS), 0
    drafts = Import.objects.filter(state=Import.State.DRAFT, created_at__lt=oldest)
    for row in drafts.select_related("project"):
        with suppress(Refused):  # it has just been started
            uploads.discard(row, by=None)
            number += 1
    return number


def _delete_folders() -> int:
    number = 0
    for folder in _folders(Path(settings.IMPORTS_DIR)):
        old_folders = _folders_to_delete(folder)
        for subfolder in old_folders:
            shutil.rmtree(subfolder, ignore_errors=True)
        number += len(old_folders)
    return number


def _delete_arrivals() -> int:
    """Delete the temporary files of uploads during which a web server was killed."""
    upload_folder = settings.FILE_UPLOAD_TEMP_DIR
    arrivals = Path(upload_folder).glob("tmp*.upload*") if upload_folder else ()
    old_files = [file for file in arrivals if _is_old(file, ARRIVING)]
    for file in old_files:
        file.unlink(missing_ok=True)
    return len(old_files)


def _folders_to_delete(folder: Path) -> list[Path]:
    """Return the folders to delete: that of a project that is gone, or those of its imports."""
    if not Project.objects.filter(public_id=folder.name).exists():
        return [folder] if _is_old(folder) else []
    old_subfolders = {
        UUID(subfolder.name): subfolder for subfolder in _folders(folder) if _is_old(subfolder)
    }
    return [old_subfolders[public_id] for public_id in _ids_without_row(old_subfolders.keys())]


def _ids_without_row(public_ids: Collection[UUID]) -> set[UUID]:
    rows = Import.objects.filter(public_id__in=public_ids)
    return set(public_ids) - set(rows.values_list("public_id", flat=True))


def _folders(folder: Path) -> Iterator[Path]:
    """Yield the folders in it that are named by an id; others are not ours."""
    for path in folder.iterdir() if folder.is_dir() else ():
        with suppress(ValueError):
            UUID(path.name)
            if path.is_dir():
                yield path


def _is_old(path: Path, age: timedelta = NEW) -> bool:
    with suppress(FileNotFoundError):  # an upload ends
        return path.stat().st_mtime < (timezone.now() - age).timestamp()
    return False
