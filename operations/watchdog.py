"""The watchdog: finds problems that no worker notices by itself, from the database."""

import logging
import uuid
from datetime import datetime, timedelta

from django.utils import timezone

from annotation.models import Project, Slot
from common import clock
from operations.pending import waiting

# Work without progress for this long needs attention.
SILENCE = timedelta(minutes=10)
# The difference allowed between the clocks of web servers.
TOLERANCE = timedelta(minutes=5)

logger = logging.getLogger(__name__)
_told: set[uuid.UUID] = set()


def watch() -> None:
    """Shorten leases that a wrong clock made too long, and log stalled work."""
    shorten_leases(timezone.now())
    tell_of_silence(clock.now())


def shorten_leases(now: datetime) -> int:
    """Shorten leases that are longer than their project allows. Returns their number.

    Such leases remain when the clock is set back by an hour. The annotator keeps the item for as
    long as if it had been opened now.
    """
    shortened = 0
    for minutes in set(Project.objects.values_list("lease_minutes", flat=True)):
        lease = timedelta(minutes=minutes)
        too_long = {"project__lease_minutes": minutes, "lease_until__gt": now + lease + TOLERANCE}
        claimed = Slot.objects.in_progress().filter(**too_long)
        shortened += claimed.update(lease_until=now + lease)
    return shortened


def tell_of_silence(now: datetime) -> None:
    """Log a warning, once for each run and draft without progress for `SILENCE`."""
    silent = {
        each.public_id: each
        for each in waiting(now)
        if each.since is not None and now - each.since >= SILENCE
    }
    _told.intersection_update(silent)
    for public_id in silent.keys() - _told:
        found = silent[public_id]
        state = "held by a worker" if found.is_held else "held by nobody"
        minutes = (now - found.since).total_seconds() // 60 if found.since else 0
        logger.warning(
            "Nothing has come of %s %s for %d minutes: it is %s",
            *(found.kind, public_id, minutes, state),
        )
    _told.update(silent)
