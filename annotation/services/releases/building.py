"""Building: one worker at a time holds a release, freezes it, and writes its files.

Every change compares the attempt before it sets anything, so whoever has lost the release, by
dying or by being late, changes nothing any more. What a dead worker left is continued: rows that
were frozen stay, and files that were not finished are written anew, to the same bytes.
"""

import logging
from datetime import timedelta
from functools import partial

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, connection
from django.db.models import QuerySet
from django.utils import timezone

from annotation.errors import AnnotationError
from annotation.models import Release
from annotation.selectors import building
from annotation.services.releases import freezing
from annotation.services.releases.drafting import MAX_ATTEMPTS, State
from annotation.services.releases.progress import Progress
from annotation.services.releases.publishing import publish
from generation.services.heartbeat import beating
from generation.services.patience import Patience

LEASE = timedelta(seconds=30)
BEAT_SECONDS = 1.0
LOST = "Three workers died over this release."
# Trying again would give the same: the settings, or what is stored, cannot be built.
HOPELESS = (ValueError, ValidationError, AnnotationError)

logger = logging.getLogger(__name__)


def build_next(*, patience: Patience | None = None) -> bool:
    """Build the release that has waited longest, or whose worker died. False without one."""
    patiently = patience or Patience()
    release = patiently(claim)
    return release is not None and build(release, patience=patiently)


def claim() -> Release | None:
    """Lease a release that waits, or was given up by a dead worker; None when there is none.

    The attempt counts from here on, so that a release which kills its worker counts as well.
    """
    for release in building.waiting(timezone.now()):
        if _is_used_up(release):
            _taken(release, state=State.FAILED, lease_until=None, failure=LOST)
        elif _take(release):
            return Release.objects.select_related("project").get(pk=release.pk)
    return None


def build(release: Release, *, patience: Patience | None = None) -> bool:
    """Freeze a claimed release and write its files; whatever goes wrong is stored.

    False when nothing came of it. Without a database it is left to whoever finds its lease over.
    """
    progress = Progress()
    try:
        with beating(lambda: renew(release, progress), every=BEAT_SECONDS):
            freezing.decide(release, progress, state=State.BUILDING, lease=LEASE)
            publish(release, progress, is_ours=lambda: renew(release, progress))
        _held(release).update(state=State.FROZEN, lease_until=None, failure="", step="")
    except (OperationalError, InterfaceError) as error:
        logger.warning("Attempt %d of %s was broken off: %s", release.attempts, release, error)
        connection.close()
        return False
    except Exception as error:
        logger.exception("Attempt %d of %s failed", release.attempts, release)
        (patience or Patience())(partial(fail, release, error))
        return False
    return True


def renew(release: Release, progress: Progress) -> bool:
    """Keep others from taking the release, and tell how far it is. False when it was lost."""
    until = timezone.now() + LEASE
    return bool(_held(release).update(lease_until=until, **progress.columns()))


def fail(release: Release, error: Exception) -> bool:
    """Store why an attempt failed; it is tried again unless that is hopeless. False if not held."""
    is_over = isinstance(error, HOPELESS) or _is_used_up(release)
    state = State.FAILED if is_over else State.QUEUED
    return bool(_held(release).update(state=state, lease_until=None, failure=_reason(error)))


def _is_used_up(release: Release) -> bool:
    """Whether this is the last attempt of a round, or the round's last has been lost."""
    begins = release.state == State.QUEUED
    return not begins and release.attempts % MAX_ATTEMPTS == 0


def _take(release: Release) -> bool:
    attempts, until = release.attempts + 1, timezone.now() + LEASE
    return _taken(release, state=State.BUILDING, attempts=attempts, lease_until=until, failure="")


def _taken(release: Release, **columns: object) -> bool:
    """Compare and set: the release is ours if it is still as we read it."""
    as_read = Release.objects.filter(
        pk=release.pk,
        state=release.state,
        attempts=release.attempts,
        lease_until=release.lease_until,
    )
    return bool(as_read.update(**columns))


def _held(release: Release) -> QuerySet[Release]:
    """The row, as long as this attempt is the one that builds it."""
    return Release.objects.filter(pk=release.pk, state=State.BUILDING, attempts=release.attempts)


def _reason(error: Exception) -> str:
    """Words that were written for people, or what the machine said."""
    if isinstance(error, ValidationError):
        return "; ".join(error.messages)
    if isinstance(error, HOPELESS):
        return str(error)
    return f"{type(error).__name__}: {error}".replace("\0", "\\0")
