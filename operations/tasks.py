"""Celery tasks of the installation. They may run at any frequency."""

from celery import shared_task

from accounts.sessions import SessionStore
from operations import backups


@shared_task  # type: ignore[untyped-decorator]
def back_up() -> None:
    """Make tonight's backup unless it exists; the embedded worker does this itself."""
    backups.back_up_when_due()


@shared_task  # type: ignore[untyped-decorator]
def clear_sessions() -> None:
    """Delete expired sessions, as `manage.py clearsessions` does."""
    SessionStore.clear_expired()
