"""Celery tasks of annotation. They wake workers up; nothing depends on how often they run."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from annotation.pairs.services import intake
from annotation.quality.services import review
from annotation.work.services import seals


@shared_task  # type: ignore[untyped-decorator]
def take_in_all() -> None:
    """Take finished batches into the projects; the embedded worker does so by itself."""
    intake.take_in_all()


@shared_task  # type: ignore[untyped-decorator]
def review_quality(seconds: float) -> None:
    """Look at the answers of whoever has given any in so many seconds; the embedded worker does so
    by itself."""
    review.review_all(since=timezone.now() - timedelta(seconds=seconds))


@shared_task  # type: ignore[untyped-decorator]
def seal_answers() -> None:
    """Seal the answers of the pairs that were decided since; the embedded worker does so by
    itself."""
    seals.seal_waiting()
