"""Calls a heartbeat callback from a background thread while a block runs."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

from django.db import DatabaseError, InterfaceError, connection

logger = logging.getLogger(__name__)


@contextmanager
def beating(beat: Callable[[], bool], *, every: float) -> Iterator[None]:
    """Call `beat` in a thread every `every` seconds, until the block ends or `beat` returns False.

    The thread has its own database connection. A beat that fails with a database error is logged,
    and the next one is tried.
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
        logger.warning("A heartbeat could not be stored (%s).", error)
        connection.close()
        return True
