"""Celery tasks of generation. They wake workers up; nothing depends on how often they run."""

import logging
from contextlib import ExitStack
from time import monotonic
from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError

from generation import selectors
from generation.models import GenerationRun, Worker
from generation.services import runs, worker
from generation.services.worker_status import signs_of_life

WORK_SECONDS = 30
# A message that waits behind long batches is still of use; those of the sweep must not pile up.
MESSAGE_EXPIRES_SECONDS = 3600
SWEPT_EXPIRES_SECONDS = 60

logger = logging.getLogger(__name__)
_life = ExitStack()


def wake(run_id: int, *, expires: float = MESSAGE_EXPIRES_SECONDS) -> None:
    """Let a Celery worker of the run's queue look at it once the transaction is committed.

    Does nothing without a broker: the embedded worker looks by itself. A broker that does not
    answer is logged, not raised: `sweep` wakes the workers once it does.
    """
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: _send(run_id, expires))


@shared_task(bind=True)  # type: ignore[untyped-decorator]
def work_run(task: Any, run_id: int) -> None:
    """Work batches of a run until none is free, for half a minute or one batch at least.

    Whoever finds work wakes the next worker first: one message comes to occupy all idle workers,
    and one at a time waits in the queue. A message that went to the wrong queue is sent on.
    """
    run = selectors.with_free_batches().filter(pk=run_id).first()
    if run is None:
        return
    wake(run_id)
    until, mine = monotonic() + WORK_SECONDS, _queue_of(task) or run.queue
    while worker.step(run, queues=[mine]) and monotonic() < until:
        pass


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Bring every run on: wake workers where batches are free, close what has none left.

    After lost messages, and after workers that died over a batch or right after the last one.
    """
    runs.close_finished()
    for run in selectors.with_free_batches():
        wake(run.pk, expires=SWEPT_EXPIRES_SECONDS)


@worker_ready.connect  # type: ignore[untyped-decorator]
def show_life(sender: Any, **_event: object) -> None:
    """Be known as a worker from when messages are taken on."""
    queues = sender.app.amqp.queues.consume_from
    _life.enter_context(signs_of_life(Worker.Kind.CELERY, list(queues)))


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def take_leave(**_event: object) -> None:
    """Be known as a worker no more."""
    _life.close()


def _send(run_id: int, expires: float) -> None:
    queue = GenerationRun.objects.values_list("queue", flat=True).get(pk=run_id)
    try:
        work_run.apply_async((run_id,), queue=queue, expires=expires)
    except OperationalError as error:
        logger.warning("No worker was woken for run %d: %s", run_id, error)


def _queue_of(task: Any) -> str | None:
    """The queue through which the message came; None for a call without one."""
    return (task.request.delivery_info or {}).get("routing_key")
