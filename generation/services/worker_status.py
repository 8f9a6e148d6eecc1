"""Signs of life of the processes that work: by them it is known who is there, and who was."""

import os
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from common import clock
from common.heartbeat import beating
from generation.models import Worker

BEAT_SECONDS = 15.0
# Rows of processes that nobody took leave of.
FORGOTTEN_AFTER = timedelta(days=1)


@contextmanager
def signs_of_life(kind: str, queues: Collection[str]) -> Iterator[None]:
    """Be known as a worker for as long as the block lasts, whatever it is at.

    The database may be away for the beginning, the end, and any sign between.
    """
    name = f"{socket.gethostname()}:{os.getpid()}"
    sign = partial(show, name, kind, sorted(queues))
    with suppress(DatabaseError, InterfaceError):
        sign()
    with beating(partial(_briefly, sign), every=BEAT_SECONDS):
        yield
    with suppress(DatabaseError, InterfaceError):
        Worker.objects.filter(name=name).delete()


def show(name: str, kind: str, queues: Collection[str]) -> None:
    """Store that this worker is there now, and forget who has long been silent."""
    now = clock.now()
    known = {"kind": kind, "queues": list(queues), "version": settings.VERSION, "seen_at": now}
    Worker.objects.update_or_create(
        name=name, defaults=known, create_defaults=known | {"started_at": now}
    )
    Worker.objects.filter(seen_at__lt=now - FORGOTTEN_AFTER).delete()


def _briefly(sign: Callable[[], None]) -> bool:
    """Between two signs, a connection of the database is better used by others."""
    try:
        sign()
    finally:
        connection.close()
    return True
