"""Leased work that waits for other machines, done while a worker does other work."""

from dataclasses import dataclass
from threading import Thread
from typing import Any

from django.db import connection

from common.leases import Work
from common.outages import Retry


@dataclass
class Beside:
    """Does one row at a time, in a separate thread.

    If the process ends meanwhile, another one continues the row when its lease expires.
    """

    work: Work[Any]
    thread: Thread | None = None

    def start_next(self, *, patience: Retry | None = None) -> bool:
        """Begin the first pending row. Return False if there is none or one is in progress."""
        if self.thread is not None and self.thread.is_alive():
            return False
        patience = patience or Retry()
        if (row := patience(self.work.claim)) is None:
            return False
        self.thread = Thread(target=self._attempt, args=(row, patience), daemon=True)
        self.thread.start()
        return True

    def _attempt(self, row: Any, patience: Retry) -> None:
        try:
            self.work.attempt(row, patience=patience)
        finally:
            connection.close()
