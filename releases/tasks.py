"""Celery tasks that wake workers for releases. It does not matter how often they run."""

from celery import shared_task

from common import clock
from common.messages import EXPIRES_SECONDS, send_on_commit
from releases import services as releases
from releases.services.builds import BUILDS, PREVIEWS
from releases.services.hub import UPLOADS

SWEPT_EXPIRES_SECONDS = 15


def wake(*, expires: float = EXPIRES_SECONDS) -> None:
    send_on_commit(lambda: work_on_releases.apply_async(expires=expires))


@shared_task  # type: ignore[untyped-decorator]
def work_on_releases() -> None:
    """Preview the oldest pending draft, build the oldest pending release, or upload one.

    If another is pending, wakes the next worker first. Previews come first: people wait for them.
    """
    if _count_pending() > 1:
        wake()
    if not releases.preview_next() and not releases.build_next():
        releases.start_next_upload()


@shared_task  # type: ignore[untyped-decorator]
def sweep_releases() -> None:
    """Wake workers for pending releases and drafts, after lost messages or dead workers."""
    if _count_pending():
        wake(expires=SWEPT_EXPIRES_SECONDS)


def _count_pending() -> int:
    moment = clock.now()
    return sum(work.pending(moment).count() for work in (PREVIEWS, BUILDS, UPLOADS))
