"""Leases: one worker at a time works on a row, for a limited number of attempts, and its progress.

Every update checks the attempt number, so a worker that crashed or was too late can no longer
change the row.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db import InterfaceError, OperationalError, connection
from django.db.models import Q, QuerySet
from structlog.contextvars import bound_contextvars

from common import clock
from common.failures import EXPECTED, in_words
from common.leased import Leased
from common.outages import Retry, heartbeat

LEASE = timedelta(seconds=30)
BEAT_SECONDS = 1.0
MAX_ATTEMPTS = 3
# The queue of work that every worker takes by default.
CPU = "cpu"
ROWS_PER_COUNT = 1_000
# A retry cannot help: the settings or the stored data cannot be processed.
HOPELESS = (ValueError, ValidationError)

T = TypeVar("T")
logger = logging.getLogger(__name__)


Row = TypeVar("Row", bound=Leased)


class Stopped(Exception):
    """The worker was asked to stop in the middle of its work."""


@dataclass(slots=True)
class Progress:
    """Progress of a step, set by the working thread and read by the one that renews the lease.

    `done` and `total` count rows of the step; a total of 0 means unknown.
    """

    step: str = ""
    done: int = 0
    total: int = 0

    def begin(self, step: str, total: int = 0) -> None:
        """Begin a step with no rows done."""
        self.step, self.done, self.total = step, 0, total

    def counting(self, rows: Iterable[T], step: str = "", total: int = 0) -> Iterator[T]:
        """Yield the rows unchanged, counting them. The first one begins the step, if any."""
        if step:
            self.begin(step, total)
        source = iter(rows)
        while batch := list(islice(source, ROWS_PER_COUNT)):
            yield from batch
            self.done += len(batch)

    def columns(self) -> dict[str, str | int]:
        """Return the columns of Leased that hold the progress."""
        return {"step": self.step, "done": self.done, "total": self.total}


@dataclass(frozen=True, slots=True)
class Work(Generic[Row]):
    """A kind of leased work.

    `kind` is its name, `model` has its rows, of which those in `among` count, and `title` says what
    a row is for. `since` is the column with the moment of the request, where there is one. `queue`
    says which workers take it. Its rows may take hours if it `is_long`. `act` works on a row and
    returns the columns to store. `named` returns what lines of the log say about a row. A row is in
    `waiting_state`, `running_state` or `failed_state`; `lost` is the failure message of a row whose
    workers died. Errors of the types `hopeless` are not tried again; those beyond HOPELESS are
    refusals, which the log has in one line. `leaves` are further columns of a row that failed for
    good. If it `keeps_failure`, a later attempt does not erase why an earlier one failed.
    """

    kind: str
    model: type[Row]
    title: Callable[[Row], str]
    act: Callable[..., dict[str, Any]]
    named: Callable[[Row], dict[str, str]]
    waiting_state: str
    running_state: str
    failed_state: str
    lost: str
    hopeless: tuple[type[Exception], ...] = HOPELESS
    leaves: Mapping[str, Any] = field(default_factory=dict)
    keeps_failure: bool = False
    since: str = ""
    queue: str = CPU
    among: Q = field(default_factory=Q)
    is_long: bool = False

    def pending(self, now: datetime) -> QuerySet[Row]:
        """Return the rows that wait or whose worker died, the earliest request first."""
        lapsed = Q(clock.lapsed(now), state=self.running_state)
        rows = self.model._default_manager.filter(self.among, Q(state=self.waiting_state) | lapsed)
        return rows.order_by(*filter(None, (self.since, "pk")))

    def unfinished(self) -> QuerySet[Row]:
        """Return the rows that wait or are being worked on, oldest first."""
        rows = self.model._default_manager.filter(
            self.among, state__in=[self.waiting_state, self.running_state]
        )
        return rows.select_related().order_by("pk")

    def do_next(self, *, patience: Retry | None = None, **options: Any) -> bool:
        """Claim and do the first pending row. Return False if there is none or it failed."""
        patience = patience or Retry()
        row = patience(self.claim)
        return row is not None and self.attempt(row, patience=patience, **options)

    def claim(self) -> Row | None:
        """Lease the first pending row that is still free and reload it; None if there is none.

        The attempt counts from the claim, so a row that kills its worker also uses up its attempts.
        """
        for row in self.pending(clock.now()):
            if self._is_used_up(row):
                update_as_read(
                    row, state=self.failed_state, lease_until=None, failure=self.lost, **self.leaves
                )
            elif update_as_read(
                row,
                state=self.running_state,
                attempts=row.attempts + 1,
                lease_until=clock.now() + LEASE,
                **self._erased(),
            ):
                row.refresh_from_db()
                return row
        return None

    def attempt(self, row: Row, *, patience: Retry | None = None, **options: Any) -> bool:
        """Work on a claimed row and store the result, or the error.

        Returns False if this failed or the lease was lost. Without a database the row is left to
        the worker that finds its lease expired. A worker that is Stopped gives the row back, and
        the attempt does not count.
        """
        progress = Progress()
        with bound_contextvars(**self.named(row)):
            try:
                with self.renewing(row, progress):
                    result = self.act(row, progress, **options)
                return self.finish(row, **result)
            except (OperationalError, InterfaceError) as error:
                logger.warning("Attempt %d was broken off: %s", row.attempts, error)
                # It may be broken; the next query opens another one.
                connection.close()
            except Stopped:
                self._held_row(row).update(
                    state=self.waiting_state, lease_until=None, attempts=row.attempts - 1
                )
            except Exception as error:
                self._log(row, error)
                (patience or Retry())(partial(self._fail, row, error))
            return False

    def renewing(self, row: Row, progress: Progress) -> AbstractContextManager[None]:
        return heartbeat(lambda: self.renew(row, progress), seconds=BEAT_SECONDS)

    def finish(self, row: Row, **result: Any) -> bool:
        """End the lease and store the result. Return False if the row was lost."""
        ended: dict[str, Any] = {"lease_until": None, "step": "", **self._erased()}
        return bool(self._held_row(row).update(**ended | result))

    def renew(self, row: Row, progress: Progress) -> bool:
        """Extend the lease and store the progress. Return False if the row was lost."""
        until = clock.now() + LEASE
        return bool(self._held_row(row).update(lease_until=until, **progress.columns()))

    def _erased(self) -> dict[str, str]:
        return {} if self.keeps_failure else {"failure": ""}

    def _log(self, row: Row, error: Exception) -> None:
        """Log an error with its traceback, but a refusal in one line: its message says it all."""
        if isinstance(error, self.hopeless) and not isinstance(error, HOPELESS):
            logger.warning("Attempt %d ended: %s", row.attempts, error)
        else:
            logger.exception("Attempt %d failed", row.attempts)

    def _fail(self, row: Row, error: Exception) -> None:
        """Store the error, and retry unless that is hopeless or the attempts are used up."""
        is_over = isinstance(error, self.hopeless) or self._is_used_up(row)
        columns = (
            {"state": self.failed_state, **self.leaves}
            if is_over
            else {"state": self.waiting_state}
        )
        self._held_row(row).update(lease_until=None, failure=self._reason(error), **columns)

    def _reason(self, error: Exception) -> str:
        """Return the message of an expected error, or the type and message of any other."""
        if isinstance(error, EXPECTED):
            return in_words(error)
        if isinstance(error, self.hopeless):
            return str(error)
        return f"{type(error).__name__}: {error}".replace("\0", "\\0")

    def _is_used_up(self, row: Row) -> bool:
        """Return whether this was the last attempt of a round."""
        begins = row.state == self.waiting_state
        return not begins and row.attempts % MAX_ATTEMPTS == 0

    def _held_row(self, row: Row) -> QuerySet[Row]:
        """Return a query for the row, if this attempt still holds it."""
        rows = type(row)._default_manager
        return rows.filter(pk=row.pk, state=self.running_state, attempts=row.attempts)


def update_as_read(row: Leased, **columns: object) -> bool:
    """Compare and set: update the row if it has not changed since it was read."""
    as_read = type(row)._default_manager.filter(
        pk=row.pk, state=row.state, attempts=row.attempts, lease_until=row.lease_until
    )
    return bool(as_read.update(**columns))


def next_round(attempts: int) -> int:
    """Return the attempt number at which a new round begins."""
    # It never resets: by it an attempt recognizes whether it still holds the row.
    return -(-attempts // MAX_ATTEMPTS) * MAX_ATTEMPTS
