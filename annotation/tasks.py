"""Celery tasks of annotation."""

from celery import shared_task

from annotation.services import intake


@shared_task  # type: ignore[untyped-decorator]
def take_in_all() -> None:
    """Take finished batches into the projects; the embedded worker does so by itself."""
    intake.take_in_all()
