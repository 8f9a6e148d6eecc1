"""Celery tasks of generation. They wake workers up; nothing depends on how often they run."""

from time import monotonic

from celery import shared_task
from django.conf import settings

from generation import selectors
from generation.services import worker

WORK_SECONDS = 300
MESSAGE_EXPIRES_SECONDS = 60


def wake(run_id: int) -> None:
    """Let a Celery worker look at the run once the transaction is committed.

    Does nothing without a broker: the embedded worker looks by itself.
    """
    if settings.CELERY_BROKER_URL:
        work_run.apply_async_on_commit((run_id,), expires=MESSAGE_EXPIRES_SECONDS)


@shared_task  # type: ignore[untyped-decorator]
def work_run(run_id: int) -> None:
    """Work batches of a run until none is free, for some minutes at most.

    Whoever finds work wakes the next worker first: one message comes to occupy all idle workers,
    and one at a time waits in the queue.
    """
    until = monotonic() + WORK_SECONDS
    if run := selectors.with_free_batches().filter(pk=run_id).first():
        wake(run_id)
        while worker.step(run) and monotonic() < until:
            pass


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Wake workers for every run that has free batches: after lost messages and dead workers."""
    for run in selectors.with_free_batches():
        wake(run.pk)
