"""Celery tasks of annotation. They wake workers up; nothing depends on how often they run."""

import logging
from datetime import timedelta

from celery import Task, shared_task
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation.selectors import building
from annotation.services import intake, quality, releases, seals, watchdog
from common import clock

MESSAGE_EXPIRES_SECONDS = 3600
SWEPT_EXPIRES_SECONDS = 15

logger = logging.getLogger(__name__)


@shared_task  # type: ignore[untyped-decorator]
def take_in_all() -> None:
    """Take finished batches into the projects; the embedded worker does so by itself."""
    intake.take_in_all()


@shared_task  # type: ignore[untyped-decorator]
def review_quality(seconds: float) -> None:
    """Look at the answers of whoever has given any in so many seconds; the embedded worker does so
    by itself."""
    quality.review_all(since=timezone.now() - timedelta(seconds=seconds))


@shared_task  # type: ignore[untyped-decorator]
def watch() -> None:
    """Look for what does not get on; the embedded worker does so by itself."""
    watchdog.watch()


@shared_task  # type: ignore[untyped-decorator]
def seal_answers() -> None:
    """Seal the answers of the pairs that were decided since; the embedded worker does so by
    itself."""
    seals.seal_waiting()


def wake_builders(*, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """Let a Celery worker look for a release to build, once the transaction is committed.

    Does nothing without a broker: the embedded worker looks by itself. A broker that does not
    answer is logged, not raised: the schedule wakes the workers once it does.
    """
    _wake(build_releases, expires)


def wake_previewers(*, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """The same for a draft that somebody wants to see."""
    _wake(preview_drafts, expires)


@shared_task  # type: ignore[untyped-decorator]
def build_releases() -> None:
    """Build the release that has waited longest; if another waits, wake the next worker first."""
    if building.waiting(clock.now()).count() > 1:
        wake_builders()
    releases.build_next()


@shared_task  # type: ignore[untyped-decorator]
def preview_drafts() -> None:
    """Look at the draft that has waited longest; if another waits, wake the next worker first."""
    if building.waiting_previews(clock.now()).count() > 1:
        wake_previewers()
    releases.preview_next()


@shared_task  # type: ignore[untyped-decorator]
def sweep_releases() -> None:
    """Wake a worker if a release or a draft waits: after lost messages and dead workers."""
    now = clock.now()
    if building.waiting_previews(now).exists():
        wake_previewers(expires=SWEPT_EXPIRES_SECONDS)
    if building.waiting(now).exists():
        wake_builders(expires=SWEPT_EXPIRES_SECONDS)


def _wake(task: Task, expires: float) -> None:
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _send(task, expires))


def _send(task: Task, expires: float) -> None:
    try:
        task.apply_async(expires=expires)
    except OperationalError as error:
        logger.warning("No worker was woken for %s: %s", task.name, error)
