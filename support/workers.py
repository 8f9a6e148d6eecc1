"""What a worker of runs does, in this process."""

from generation.models import GenerationRun
from generation.services import worker


def work_until_idle(run: GenerationRun | None = None) -> int:
    """Process the batches of all running runs, or of one; return how many were attempted."""
    attempted = 0
    while worker.step(run):
        attempted += 1
    return attempted
