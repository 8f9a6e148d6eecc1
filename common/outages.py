"""Work that outlasts a database which is busy or away: retries and heartbeats."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, repeat
from threading import Event, Thread
from typing import TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

T = TypeVar("T")

WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
LONGEST_WAIT = 30.0

logger = logging.getLogger(__name__)


def is_outage(error: BaseException | None) -> bool:
    """Return whether a database that does not answer caused an error, directly or not."""
    # Django reports a session that could not be saved as a bad request, whatever the reason.
    while error is not None and not isinstance(error, OperationalError | InterfaceError):
        error = error.__cause__ or error.__context__
    return error is not None


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


@contextmanager
def heartbeat(beat: Callable[[], bool], *, seconds: float) -> Iterator[None]:
    """Call `beat` in a thread every `seconds`, until the block ends or `beat` returns False.

    The thread has its own database connection. A beat that fails with a database error is logged,
    and the next one is tried.
    """
    done = Event()
    heart = Thread(target=_beat, args=(beat, seconds, done), name="heartbeat", daemon=True)
    heart.start()
    try:
        yield
    finally:
        done.set()
        heart.join()


def _beat(beat: Callable[[], bool], seconds: float, done: Event) -> None:
    try:
        while not done.wait(seconds) and _try_beat(beat):
            pass
    finally:
        connection.close()


def _try_beat(beat: Callable[[], bool]) -> bool:
    try:
        return beat()
    except (DatabaseError, InterfaceError) as error:
        logger.warning("A heartbeat could not be stored (%s).", error)
        connection.close()
        return True
