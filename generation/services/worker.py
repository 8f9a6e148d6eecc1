"""The loop that all workers share, and the heartbeats that show which workers are active."""

import os
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from common import clock
from common.outages import Retry, heartbeat
from generation.models import GenerationRun, Queue, Worker
from generation.services import batches

BEAT_SECONDS = 15.0
# Rows of processes that ended without deregistering.
FORGOTTEN_AFTER = timedelta(days=1)


def step(
    run: GenerationRun | None = None,
    *,
    patience: Retry | None = None,
    queues: Collection[str] = tuple(Queue),
) -> bool:
    """Process one batch of any running run in these queues, or only of `run`; False without one."""
    patiently = patience or Retry()
    batch = patiently(lambda: batches.claim(run, queues=queues))
    if batch is None:
        return False
    batches.work(batch, patience=patiently)
    return True


@contextmanager
def send_heartbeats(kind: str, queues: Collection[str]) -> Iterator[None]:
    """Register a worker and send heartbeats while the block runs.

    The database may be unavailable at the beginning, at the end, or at any heartbeat.
    """
    name = f"{socket.gethostname()}:{os.getpid()}"
    sign = partial(store_heartbeat, name, kind, sorted(queues))
    with suppress(DatabaseError, InterfaceError):
        sign()
    with heartbeat(partial(_beat_and_disconnect, sign), seconds=BEAT_SECONDS):
        yield
    with suppress(DatabaseError, InterfaceError):
        Worker.objects.filter(name=name).delete()


def store_heartbeat(name: str, kind: str, queues: Collection[str]) -> None:
    """Store a heartbeat of this worker, and delete workers silent for a day."""
    seen_at = clock.now()
    values = {"kind": kind, "queues": list(queues), "version": settings.VERSION, "seen_at": seen_at}
    Worker.objects.update_or_create(
        name=name, defaults=values, create_defaults=values | {"started_at": seen_at}
    )
    Worker.objects.filter(seen_at__lt=seen_at - FORGOTTEN_AFTER).delete()


def _beat_and_disconnect(sign: Callable[[], None]) -> bool:
    """Close the connection between heartbeats, to leave it for others."""
    try:
        sign()
    finally:
        connection.close()
    return True
