"""Leased work that waits for other machines, while other work continues."""

from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from django.db import connection

from common.leases import Row, Work
from common.outages import Retry


@dataclass(frozen=True, slots=True)
class InBackground(Work[Row]):
    """Does its rows one after another in a separate thread: other work need not wait for them.

    If the process ends meanwhile, another one continues the row when its lease expires.
    """

    threads: list[Thread] = field(default_factory=list)

    def do_next(self, *, patience: Retry | None = None, **options: Any) -> bool:
        """Begin the pending rows. Return False if there are none or some are in progress."""
        if any(thread.is_alive() for thread in self.threads):
            return False
        patience = patience or Retry()
        if (row := patience(self.claim)) is None:
            return False
        self.threads[:] = [Thread(target=self._attempt_all, args=(row, patience), daemon=True)]
        self.threads[0].start()
        return True

    def _attempt_all(self, row: Row | None, patience: Retry) -> None:
        try:
            while row is not None:
                self.attempt(row, patience=patience)
                row = None if patience.stop.is_set() else patience(self.claim)
        finally:
            connection.close()
