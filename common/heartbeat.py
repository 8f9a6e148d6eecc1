"""A sign of life from beside the work: whoever dies is silent at once, whoever is slow is not."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import DatabaseError, InterfaceError, connection

logger = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], bool], *, every: float) -> Iterator[None]:
    """Call `beat` in a thread, every so many seconds, until the block ends or the call gives False.

    The thread has a connection to the database of its own. A beat that the database does not take
    is missed, and the next one is tried.
    """
    done = Event()
    heart = Thread(target=_beat, args=(beat, every, done), name="heartbeat", daemon=True)
    heart.start()
    try:
        yield
    finally:
        done.set()
        heart.join()


def _beat(beat: Callable[[], bool], every: float, done: Event) -> None:
    try:
        while not done.wait(every) and _taken(beat):
            pass
    finally:
        connection.close()


def _taken(beat: Callable[[], bool]) -> bool:
    try:
        return beat()
    except (DatabaseError, InterfaceError) as error:
        logger.warning("A sign of life could not be stored (%s).", error)
        connection.close()
        return True
