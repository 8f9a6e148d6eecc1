"""The loop that all workers share: claim a batch, process it, repeat."""

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
    """Process one batch of any running run in these queues, or only of `run`.

    Returns False if there was none to claim.
    """
    patiently = patience or Retry()
    batch = patiently(lambda: batches.claim(run, queues=queues))
    if batch is None:
        return False
    batches.work(batch, patience=patiently)
    return True


def work_until_idle(run: GenerationRun | None = None, *, patience: Retry | None = None) -> int:
    """Process batches until none is free; return the number attempted."""
    attempted = 0
    while step(run, patience=patience):
        attempted += 1
    return attempted
