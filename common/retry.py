"""Retries while the database is busy or away."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import chain, repeat
from threading import Event
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

T = TypeVar("T")

WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
LONGEST_WAIT = 30.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Retry:
    """Repeats a database call until it succeeds, and reports each failure through `say`.

    Use it only for calls that may run twice: reads, and compare-and-set updates. Once `stop` is set
    the last error is raised.
    """

    say: Callable[[str], object] = logger.warning
    stop: Event = field(default_factory=Event)

    def __call__(self, call: Callable[[], T]) -> T:
        """Return the value of the call. Inside a transaction errors are raised immediately."""
        waits = chain(WAITS, repeat(LONGEST_WAIT))
        while True:
            try:
                return call()
            except (OperationalError, InterfaceError) as error:
                if connection.in_atomic_block:
                    raise
                seconds = next(waits)
                self.say(f"The database does not answer ({error}); next try in {seconds:g} s.")
                connection.close()
                if self.stop.wait(seconds):
                    raise
