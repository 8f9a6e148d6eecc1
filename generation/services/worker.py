"""What every worker does, whoever woke it up: claim a batch, work it, look for the next."""

from collections.abc import Collection

from common.retry import Retry
from generation.models import GenerationRun, Queue
from generation.services import batches


def step(
    run: GenerationRun | None = None,
    *,
    patience: Retry | None = None,
    queues: Collection[str] = tuple(Queue),
) -> bool:
    """Work one batch of any running run of these queues, or of this one, if it is among them.

    False when there was none to claim.
    """
    patiently = patience or Retry()
    batch = patiently(lambda: batches.claim(run, queues=queues))
    if batch is None:
        return False
    batches.work(batch, patience=patiently)
    return True


def work_until_idle(run: GenerationRun | None = None, *, patience: Retry | None = None) -> int:
    """Work batches until none is free; returns how many were attempted."""
    attempted = 0
    while step(run, patience=patience):
        attempted += 1
    return attempted
