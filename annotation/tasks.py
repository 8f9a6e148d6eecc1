"""Celery tasks of annotation. They may run at any frequency; the embedded worker does the same."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from annotation.imports.services import pruning
from annotation.pairs.services import intake
from annotation.quality.services import review
from annotation.seals import services as seals


@shared_task  # type: ignore[untyped-decorator]
def prune_imports() -> None:
    """Delete uploads that were never imported, and files of deleted imports."""
    pruning.prune()


@shared_task  # type: ignore[untyped-decorator]
def take_in_all() -> None:
    """Add the candidates of finished batches to their projects."""
    intake.take_in_all()


@shared_task  # type: ignore[untyped-decorator]
def review_quality(seconds: float) -> None:
    """Review the answers of everyone who has answered in the last `seconds` seconds."""
    review.review_all(since=timezone.now() - timedelta(seconds=seconds))


@shared_task  # type: ignore[untyped-decorator]
def seal_answers() -> None:
    """Seal the answers of newly decided pairs."""
    seals.seal_waiting()
