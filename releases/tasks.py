"""Celery tasks that wake workers for releases. It does not matter how often they run."""

import logging

from celery import Task, shared_task
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from common import clock
from releases import services as releases
from releases.selectors.releases import waiting, waiting_previews

MESSAGE_EXPIRES_SECONDS = 3600
SWEPT_EXPIRES_SECONDS = 15

logger = logging.getLogger(__name__)


def wake_builders(*, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """Ask a Celery worker to look for a release to build, once the transaction is committed.

    Does nothing without a broker: the embedded worker polls by itself. If the broker does not
    answer, this is logged, not raised; the schedule wakes the workers later.
    """
    _wake(build_releases, expires)


def wake_previewers(*, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """Ask a Celery worker to look for a draft to preview, once the transaction is committed."""
    _wake(preview_drafts, expires)


@shared_task  # type: ignore[untyped-decorator]
def build_releases() -> None:
    """Build the oldest pending release; if another is pending, wake the next worker first."""
    if waiting(clock.now()).count() > 1:
        wake_builders()
    releases.build_next()


@shared_task  # type: ignore[untyped-decorator]
def preview_drafts() -> None:
    """Preview the oldest pending draft; if another is pending, wake the next worker first."""
    if waiting_previews(clock.now()).count() > 1:
        wake_previewers()
    releases.preview_next()


@shared_task  # type: ignore[untyped-decorator]
def sweep_releases() -> None:
    """Wake workers for pending releases and drafts, after lost messages or dead workers."""
    now = clock.now()
    if waiting_previews(now).exists():
        wake_previewers(expires=SWEPT_EXPIRES_SECONDS)
    if waiting(now).exists():
        wake_builders(expires=SWEPT_EXPIRES_SECONDS)


def _wake(task: Task, expires: float) -> None:
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _send(task, expires))


def _send(task: Task, expires: float) -> None:
    try:
        task.apply_async(expires=expires)
    except OperationalError as error:
        logger.warning("No worker was woken for %s: %s", task.name, error)
