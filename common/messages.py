"""Messages that wake workers: the work itself is in the database.

Celery workers get theirs through the broker. The embedded worker checks the time of a file in the
data folder, which needs no query, and looks for work every few seconds without a message.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from time import monotonic

from celery import current_app
from django.conf import settings
from django.db import transaction

# A message delayed by long work is still useful.
EXPIRES_SECONDS = 3600
# By name: what does the leased work of all rooms is above them.
LEASED_WORK = "operations.tasks.do_leased_work"
LOOK_SECONDS, MOST_SECONDS = 0.5, 5.0


def send_on_commit(send: Callable[[], object]) -> None:
    """Send a message once the transaction is committed, and wake the embedded worker."""
    call_on_commit()
    if settings.CELERY_BROKER_URL:
        # Robust: a broker that does not answer is logged, and the schedule wakes the workers later.
        transaction.on_commit(send, robust=True)


def wake_worker(*, expires: float = EXPIRES_SECONDS) -> None:
    """Ask a worker to look for leased work."""
    send_on_commit(lambda: current_app.send_task(LEASED_WORK, expires=expires))


def call_on_commit() -> None:
    """Wake the embedded worker once the transaction is committed."""
    transaction.on_commit(_file().touch, robust=True)


def last_call() -> int:
    """Return when embedded workers were last woken; 0 for never."""
    try:
        return _file().stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def wait_for_call(after: int, *, stop: Event, most: float = MOST_SECONDS) -> None:
    """Wait until there is a call after the one of this time, or for `most` seconds."""
    until = monotonic() + most
    while last_call() == after and monotonic() < until and not stop.wait(LOOK_SECONDS):
        pass


def _file() -> Path:
    return Path(settings.DATA_DIR, "work-waits")
