"""Celery tasks of annotation. They may run at any frequency; the embedded worker does the same."""

from datetime import timedelta

from celery import shared_task
from django.utils import timezone

from annotation.imports.services import pruning
from annotation.imports.services import work as imports
from annotation.pairs.services import intake
from annotation.quality.services import review
from annotation.seals import services as seals
from common import clock
from common.messages import EXPIRES_SECONDS, send_on_commit

SWEPT_EXPIRES_SECONDS = 15


def wake_for_imports(*, expires: float = EXPIRES_SECONDS) -> None:
    """Ask a Celery worker to look for an import."""
    send_on_commit(lambda: work_on_imports.apply_async(expires=expires))


@shared_task  # type: ignore[untyped-decorator]
def work_on_imports() -> None:
    """Do the oldest pending import. If another is pending, wakes the next worker first."""
    if imports.IMPORTS.pending(clock.now()).count() > 1:
        wake_for_imports()
    imports.import_next()


@shared_task  # type: ignore[untyped-decorator]
def sweep_imports() -> None:
    """Wake workers for pending imports, after lost messages or dead workers."""
    if imports.IMPORTS.pending(clock.now()).exists():
        wake_for_imports(expires=SWEPT_EXPIRES_SECONDS)


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
