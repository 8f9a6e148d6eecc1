"""Leases: one worker at a time works on a row, for a limited number of attempts.

Every update checks the attempt number, so a worker that crashed or was too late can no longer
change the row.
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
# A retry cannot help: the settings or the stored data cannot be processed.
HOPELESS = (ValueError, ValidationError, AnnotationError)

Row = TypeVar("Row", bound=Leased)
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Work(Generic[Row]):
    """A kind of leased work.

    `waits`, `goes_on` and `failed` are states of its rows, and `lost` is the failure message of a
    row whose workers died.
    """

    waits: str
    goes_on: str
    failed: str
    lost: str

    def claim(self, rows: Iterable[Row]) -> Row | None:
        """Lease the first row that is still free and reload it; return None if there is none.

        The attempt counts from the claim, so a row that kills its worker also uses up its attempts.
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
        """Run `act` on a claimed row and store the columns that it returns, or the error.

        Returns False if this failed or the lease was lost. Without a database the row is left to
        the worker that finds its lease expired.
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
        """Extend the lease and store the progress. Return False if the row was lost."""
        until = clock.now() + LEASE
        return bool(self._held(row).update(lease_until=until, **progress.columns()))

    def _fail(self, row: Row, error: Exception) -> None:
        """Store the error, and retry unless that is hopeless or the attempts are used up."""
        is_over = isinstance(error, HOPELESS) or self._is_used_up(row)
        state = self.failed if is_over else self.waits
        self._held(row).update(state=state, lease_until=None, failure=_reason(error))

    def _is_used_up(self, row: Row) -> bool:
        """Return whether this was the last attempt of a round."""
        begins = row.state == self.waits
        return not begins and row.attempts % MAX_ATTEMPTS == 0

    def _take(self, row: Row) -> bool:
        attempts, until = row.attempts + 1, clock.now() + LEASE
        return taken(row, state=self.goes_on, attempts=attempts, lease_until=until, failure="")

    def _held(self, row: Row) -> QuerySet[Row]:
        """Return a query for the row, if this attempt still holds it."""
        rows = type(row)._default_manager
        return rows.filter(pk=row.pk, state=self.goes_on, attempts=row.attempts)


def taken(row: Leased, **columns: object) -> bool:
    """Compare and set: update the row if it has not changed since it was read."""
    as_read = type(row)._default_manager.filter(
        pk=row.pk, state=row.state, attempts=row.attempts, lease_until=row.lease_until
    )
    return bool(as_read.update(**columns))


def next_round(attempts: int) -> int:
    """Return the attempt number at which a new round begins.

    The number never resets: by it an attempt recognizes whether it still holds the row.
    """
    return -(-attempts // MAX_ATTEMPTS) * MAX_ATTEMPTS


def _reason(error: Exception) -> str:
    """Return the message of an expected error, or the type and message of any other."""
    if isinstance(error, ValidationError):
        return "; ".join(error.messages)
    if isinstance(error, HOPELESS):
        return str(error)
    return f"{type(error).__name__}: {error}".replace("\0", "\\0")
