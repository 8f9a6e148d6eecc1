"""Celery tasks of the installation. They may run at any frequency."""

from celery import shared_task

from accounts.sessions import SessionStore
from common import clock, messages
from common.leases import CPU
from operations import backups, deliveries, phases
from operations.work import WORKS

SWEPT_EXPIRES_SECONDS = 15


@shared_task  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make tonight's backup unless it exists; the embedded worker does this itself."""
    backups.back_up_when_due()


@shared_task  # type: ignore[untyped-decorator]
def clear_sessions() -> None:
    """Delete expired sessions, as `manage.py clearsessions` does."""
    SessionStore.clear_expired()


@shared_task  # type: ignore[untyped-decorator]
def tell_events() -> None:
    """Look for phases without work, and write the deliveries of new events."""
    phases.watch()
    deliveries.spread()


@shared_task  # type: ignore[untyped-decorator]
def delete_old_deliveries() -> None:
    deliveries.delete_old()


@shared_task(name=messages.LEASED_WORK)  # type: ignore[untyped-decorator]
def do_leased_work() -> None:
    """Do the first row that waits. If another waits, wakes the next worker first."""
    if _count_pending() > 1:
        messages.wake_worker()
    any(work.do_next() for work in WORKS if work.queue == CPU)


@shared_task  # type: ignore[untyped-decorator]
def sweep_leased_work() -> None:
    """Wake workers for what waits, after lost messages or dead workers."""
    if _count_pending():
        messages.wake_worker(expires=SWEPT_EXPIRES_SECONDS)


def _count_pending() -> int:
    moment = clock.now()
    return sum(work.pending(moment).count() for work in WORKS if work.queue == CPU)
