"""Celery tasks of the installation. They may run at any frequency."""

from celery import shared_task

from operations import backups


@shared_task  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make tonight's backup unless it exists; the embedded worker does this itself."""
    backups.back_up_when_due()
