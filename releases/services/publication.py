"""Publishes the files of a release: they are written in a work folder, then moved into place."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from releases.dataset.archive import pack
from releases.dataset.manifest import Manifest, described
from releases.models import Release
from releases.selectors import published
from releases.selectors.releases import facts_of, folder_of
from releases.services.files import write
from releases.services.frozen import LostRelease
from releases.services.progress import PACKING, Progress


def publish(
    release: Release,
    progress: Progress | None = None,
    *,
    is_ours: Callable[[], bool] = lambda: True,
) -> Manifest:
    """Write the files and the archive of a frozen release, then move them into place.

    `is_ours` is called before anything is moved. Raises LostRelease if it returns False, and the
    errors of `write`. An existing folder is kept if it is complete.
    """
    telling = progress or Progress()
    workshop = workshop_of(release)
    written = workshop / str(release.attempts) / release.version
    shutil.rmtree(written.parent, ignore_errors=True)
    try:
        manifest = write(release, written, telling)
        telling.begin(PACKING)
        archive = _packed(release, written)
        if not is_ours():
            raise LostRelease(f"{release} was taken by somebody else.")
        _put_in_place(release, written, archive)
    finally:
        shutil.rmtree(written.parent, ignore_errors=True)
    # Delete what dead attempts left. An older attempt that still runs has lost its lease.
    shutil.rmtree(workshop, ignore_errors=True)
    return manifest


@transaction.atomic
def record_download(release: Release, file: str, *, by: User) -> None:
    """Record the download of a file of a release, or of its archive, in the audit log."""
    audit.record(Act.RELEASE_DOWNLOADED, by=by, on=release, file=file)


def workshop_of(release: Release) -> Path:
    """Return the work folder, with a subfolder for each attempt. No version begins with a dot."""
    return folder_of(release).parent / f".{release.public_id}"


def remove(release: Release) -> None:
    """Delete the files of a release, its archive and leftovers of build attempts."""
    for folder in (folder_of(release), workshop_of(release)):
        shutil.rmtree(folder, ignore_errors=True)
    for file in (published.slip_of(release), published.archive_of(release)):
        file.unlink(missing_ok=True)


def _packed(release: Release, written: Path) -> Path:
    archive = written.with_name(published.archive_of(release).name)
    pack(written, archive, created=facts_of(release).created)
    return archive


def _put_in_place(release: Release, written: Path, archive: Path) -> None:
    [entry] = described(archive.parent, {archive.name: None}).values()
    slip = written.with_name("slip.json")
    slip.write_text(json.dumps(entry))
    published.archive_of(release).parent.mkdir(parents=True, exist_ok=True)
    archive.replace(published.archive_of(release))
    slip.replace(published.slip_of(release))
    folder = folder_of(release)
    if folder.exists() and not published.is_whole(release):
        shutil.rmtree(folder)
    if not folder.exists():
        written.rename(folder)
