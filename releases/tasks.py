"""Celery tasks that wake workers for releases. It does not matter how often they run."""

from celery import shared_task
from django.conf import settings
from django.db import transaction

from common import clock
from releases import services as releases
from releases.selectors.releases import waiting, waiting_previews, waiting_uploads

MESSAGE_EXPIRES_SECONDS = 3600
SWEPT_EXPIRES_SECONDS = 15


def wake(*, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """Ask a Celery worker to look for a draft or release, once the transaction is committed.

    Does nothing without a broker: the embedded worker polls by itself. If the broker does not
    answer, this is logged, not raised; the schedule wakes the workers later.
    """
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: work_on_releases.apply_async(expires=expires), robust=True)


@shared_task  # type: ignore[untyped-decorator]
def work_on_releases() -> None:
    """Preview the oldest pending draft, build the oldest pending release, or upload one.

    If another is pending, wakes the next worker first. Previews come first: people wait for them.
    """
    if _pending() > 1:
        wake()
    if not releases.preview_next() and not releases.build_next():
        releases.upload_next()


@shared_task  # type: ignore[untyped-decorator]
def sweep_releases() -> None:
    """Wake workers for pending releases and drafts, after lost messages or dead workers."""
    if _pending():
        wake(expires=SWEPT_EXPIRES_SECONDS)


def _pending() -> int:
    now = clock.now()
    pending = (waiting_previews(now), waiting(now), waiting_uploads(now))
    return sum(rows.count() for rows in pending)
