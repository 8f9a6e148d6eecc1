"""One backup each night, made by the first worker that checks once it is due."""

import logging
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.backups import folders
from operations.backups.creation import make
from operations.backups.manifest import BackupError

HOUR = 3
LATE = timedelta(hours=26)

logger = logging.getLogger(__name__)


def folder() -> Path | None:
    """Return the backup folder; None if no backups are configured."""
    return Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None


def is_due(now: datetime) -> bool:
    """Return whether none was made since the last 3 a.m. local time; False without a folder."""
    where = folder()
    if where is None:
        return False
    newest = folders.newest(where)
    return newest is None or newest.made_at < _last_night(now)


def is_late(now: datetime) -> bool:
    """Return whether there is no backup from the last 26 hours, which needs attention.

    False if no backups are configured.
    """
    where = folder()
    if where is None:
        return False
    newest = folders.newest(where)
    return newest is None or now - newest.made_at > LATE


def back_up_when_due() -> None:
    """Make tonight's backup unless it exists. A failure is logged; the next call retries."""
    where, now = folder(), timezone.now()
    if where is None or not is_due(now):
        return
    try:
        backup = make(where, kept=settings.BACKUPS_KEPT)
    except BackupError as error:
        late = " The last one is more than 26 hours old." if is_late(now) else ""
        logger.error("No backup was made: %s%s", error, late)
    else:
        logger.info("Backed up to %s", backup.folder.name)


def _last_night(now: datetime) -> datetime:
    here = timezone.localtime(now)
    night = here.replace(hour=HOUR, minute=0, second=0, microsecond=0)
    return night if night <= here else night - timedelta(days=1)
