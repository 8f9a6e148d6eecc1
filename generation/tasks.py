"""Celery tasks of generation. They wake workers and may run any number of times."""

from contextlib import ExitStack
from time import monotonic
from typing import Any

from celery import shared_task
from celery.signals import worker_ready, worker_shutdown

from common.messages import EXPIRES_SECONDS, send_on_commit
from generation import selectors
from generation.models import GenerationRun, Queue, Worker
from generation.services import runs, worker
from generation.services.worker import send_heartbeats

WORK_SECONDS = 30
# Messages of `sweep` must not pile up.
SWEPT_EXPIRES_SECONDS = 60

_life = ExitStack()


def wake(run_id: int, *, expires: float = EXPIRES_SECONDS) -> None:
    """Send a message to workers with Celery; those that ask models behind endpoints need none."""
    send_on_commit(lambda: _send(run_id, expires))


@shared_task(bind=True)  # type: ignore[untyped-decorator]
def work_run(task: Any, run_id: int) -> None:
    """Process batches of a run until none is free, for 30 seconds or at least one batch.

    A worker that finds work wakes the next one first: one message spreads to all idle workers, and
    at most one waits in the queue. A message in the wrong queue is forwarded.
    """
    run = selectors.runs_with_free_batches().filter(pk=run_id).first()
    if run is None:
        return
    wake(run_id)
    # A direct call has no queue.
    queue = (task.request.delivery_info or {}).get("routing_key") or run.queue
    until = monotonic() + WORK_SECONDS
    while worker.step(run, queues=[queue]) and monotonic() < until:
        pass


@shared_task  # type: ignore[untyped-decorator]
def sweep() -> None:
    """Wake workers and close runs, after lost messages or workers that crashed after a batch."""
    runs.close_finished()
    for run in selectors.runs_with_free_batches():
        wake(run.pk, expires=SWEPT_EXPIRES_SECONDS)


@worker_ready.connect  # type: ignore[untyped-decorator]
def show_life(sender: Any, **_event: object) -> None:
    queues = sender.app.amqp.queues.consume_from
    _life.enter_context(send_heartbeats(Worker.Kind.CELERY, list(queues)))


@worker_shutdown.connect  # type: ignore[untyped-decorator]
def take_leave(**_event: object) -> None:
    _life.close()


def _send(run_id: int, expires: float) -> None:
    queue = GenerationRun.objects.values_list("queue", flat=True).get(pk=run_id)
    if queue == Queue.ENDPOINT:
        return
    work_run.apply_async((run_id,), queue=queue, expires=expires)
