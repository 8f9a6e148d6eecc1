"""Celery tasks of the installation. Nothing depends on how often they run."""

from celery import shared_task

from operations import backups, watchdog


@shared_task  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make the backup of this night, unless it is there; the embedded worker does so by itself."""
    backups.back_up_when_due()


@shared_task  # type: ignore[untyped-decorator]
def watch() -> None:
    """Look for what does not get on; the embedded worker does so by itself."""
    watchdog.watch()
