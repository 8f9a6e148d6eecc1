"""Celery tasks of annotation."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from annotation.services import intake, quality


@shared_task  # type: ignore[untyped-decorator]
def take_in_all() -> None:
    """Take finished batches into the projects; the embedded worker does so by itself."""
    intake.take_in_all()


@shared_task  # type: ignore[untyped-decorator]
def review_quality(seconds: float) -> None:
    """Look at the answers of whoever has given any in so many seconds; the embedded worker does so
    by itself."""
    quality.review_all(since=timezone.now() - timedelta(seconds=seconds))
