"""Working on a row that nobody else works on: by one worker at a time, and in a few attempts.

Every change compares the attempt before it sets anything, so whoever has lost a row, by dying or
by being late, changes nothing any more.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, connection
from django.db.models import QuerySet

from annotation.errors import AnnotationError
from common import clock
from common.heartbeat import beating
from common.retry import Retry
from releases.models import Leased
from releases.services.progress import Progress

LEASE = timedelta(seconds=30)
BEAT_SECONDS = 1.0
MAX_ATTEMPTS = 3
# Trying again would give the same: the settings, or what is stored, cannot be worked on.
HOPELESS = (ValueError, ValidationError, AnnotationError)

Row = TypeVar("Row", bound=Leased)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work(Generic[Row]):
    """A kind of work.

    `waits`, `goes_on` and `failed` are states of its rows, and `lost` is the failure of one that
    its workers died over.
    """

    waits: str
    goes_on: str
    failed: str
    lost: str

    def claim(self, rows: Iterable[Row]) -> Row | None:
        """Lease the first of these that nobody else takes, and read it anew; None without one.

        The attempt counts from here on, so that a row which kills its worker counts as well.
        """
        for row in rows:
            if self._is_used_up(row):
                taken(row, state=self.failed, lease_until=None, failure=self.lost)
            elif self._take(row):
                row.refresh_from_db()
                return row
        return None

    def attempt(
        self,
        row: Row,
        act: Callable[[Progress], dict[str, Any]],
        *,
        patience: Retry | None = None,
    ) -> bool:
        """Work on a claimed row, and store the columns that come of it, or else what went wrong.

        False when nothing came of it. Without a database the row is left to whoever finds its
        lease over.
        """
        progress = Progress()
        try:
            with beating(lambda: self.renew(row, progress), every=BEAT_SECONDS):
                came_of_it = act(progress)
            over = {"lease_until": None, "failure": "", "step": ""}
            return bool(self._held(row).update(**{**over, **came_of_it}))
        except (OperationalError, InterfaceError) as error:
            logger.warning("Attempt %d was broken off: %s", row.attempts, error)
            connection.close()
            return False
        except Exception as error:
            logger.exception("Attempt %d failed", row.attempts)
            (patience or Retry())(partial(self._fail, row, error))
            return False

    def renew(self, row: Row, progress: Progress) -> bool:
        """Keep others from taking the row, and tell how far it is. False when it was lost."""
        until = clock.now() + LEASE
        return bool(self._held(row).update(lease_until=until, **progress.columns()))

    def _fail(self, row: Row, error: Exception) -> None:
        """Store why an attempt failed; it is tried again unless that is hopeless."""
        is_over = isinstance(error, HOPELESS) or self._is_used_up(row)
        state = self.failed if is_over else self.waits
        self._held(row).update(state=state, lease_until=None, failure=_reason(error))

    def _is_used_up(self, row: Row) -> bool:
        """Whether this is the last attempt of a round, or the round's last has been lost."""
        begins = row.state == self.waits
        return not begins and row.attempts % MAX_ATTEMPTS == 0

    def _take(self, row: Row) -> bool:
        attempts, until = row.attempts + 1, clock.now() + LEASE
        return taken(row, state=self.goes_on, attempts=attempts, lease_until=until, failure="")

    def _held(self, row: Row) -> QuerySet[Row]:
        """The row, as long as this attempt is the one that works on it."""
        rows = type(row)._default_manager
        return rows.filter(pk=row.pk, state=self.goes_on, attempts=row.attempts)


def taken(row: Leased, **columns: object) -> bool:
    """Compare and set: the row is ours if it is still as we read it."""
    as_read = type(row)._default_manager.filter(
        pk=row.pk, state=row.state, attempts=row.attempts, lease_until=row.lease_until
    )
    return bool(as_read.update(**columns))


def next_round(attempts: int) -> int:
    """The attempts at which a new round begins.

    They count on for ever: by its number an attempt knows whether it is still the one that works.
    """
    return -(-attempts // MAX_ATTEMPTS) * MAX_ATTEMPTS


def _reason(error: Exception) -> str:
    """Words that were written for people, or what the machine said."""
    if isinstance(error, ValidationError):
        return "; ".join(error.messages)
    if isinstance(error, HOPELESS):
        return str(error)
    return f"{type(error).__name__}: {error}".replace("\0", "\\0")
