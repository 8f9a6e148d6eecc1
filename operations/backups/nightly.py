"""One backup each night: whoever looks makes it, as soon as it is due."""

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
    """Where backups go; None for an installation that makes none."""
    return Path(settings.BACKUP_DIR) if settings.BACKUP_DIR else None


def is_due(now: datetime) -> bool:
    """Whether none was made since it was last 3 o'clock here. Never, without a folder."""
    where = folder()
    if where is None:
        return False
    newest = folders.newest(where)
    return newest is None or newest.made_at < _last_night(now)


def is_late(now: datetime) -> bool:
    """Whether the newest backup is older than 26 hours, or there is none: somebody has to look.

    Never for an installation that makes none.
    """
    where = folder()
    if where is None:
        return False
    newest = folders.newest(where)
    return newest is None or now - newest.made_at > LATE


def back_up_when_due() -> None:
    """Make the backup of this night, unless it is there. That it fails is told in the log, and that
    the last one is too old; it is tried again when somebody looks again."""
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
