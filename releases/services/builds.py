"""Builds releases: one worker at a time leases a release, freezes it and writes its files.

If a worker dies, another continues: frozen rows are kept, and unfinished files are written again
with the same bytes.
"""

from functools import partial
from typing import Any

from structlog.contextvars import bound_contextvars

from common import clock
from common.retry import Retry
from releases.models import Release
from releases.selectors import pending
from releases.services import frozen, leases
from releases.services.drafts import State
from releases.services.progress import Progress
from releases.services.publication import publish

LOST = "Three workers died over this release."
WORK: leases.Work[Release] = leases.Work(
    waits=State.QUEUED, goes_on=State.BUILDING, failed=State.FAILED, lost=LOST
)


def build_next(*, patience: Retry | None = None) -> bool:
    """Claim and build the oldest pending release. Return False if there is none or it failed."""
    patiently = patience or Retry()
    release = patiently(claim)
    return release is not None and build(release, patience=patiently)


def claim() -> Release | None:
    """Lease the oldest release that is queued or whose worker died; None if there is none."""
    return WORK.claim(pending.waiting(clock.now()))


def build(release: Release, *, patience: Retry | None = None) -> bool:
    """Freeze a claimed release and write its files, or store the error.

    Returns False on failure.
    """
    with bound_contextvars(release=str(release.public_id)):
        return WORK.attempt(release, partial(_build, release), patience=patience)


def _build(release: Release, progress: Progress) -> dict[str, Any]:
    frozen.decide(release, progress, state=State.BUILDING, lease=leases.LEASE)
    publish(release, progress, is_ours=lambda: WORK.renew(release, progress))
    return {"state": State.FROZEN}
