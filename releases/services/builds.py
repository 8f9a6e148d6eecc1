"""Building: one worker at a time holds a release, freezes it, and writes its files.

What a dead worker left is continued: rows that were frozen stay, and files that were not finished
are written anew, to the same bytes.
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
    """Build the release that has waited longest, or whose worker died. False without one."""
    patiently = patience or Retry()
    release = patiently(claim)
    return release is not None and build(release, patience=patiently)


def claim() -> Release | None:
    """Lease a release that waits, or was given up by a dead worker; None when there is none."""
    return WORK.claim(pending.waiting(clock.now()))


def build(release: Release, *, patience: Retry | None = None) -> bool:
    """Freeze a claimed release and write its files; whatever goes wrong is stored.

    False when nothing came of it.
    """
    with bound_contextvars(release=str(release.public_id)):
        return WORK.attempt(release, partial(_build, release), patience=patience)


def _build(release: Release, progress: Progress) -> dict[str, Any]:
    frozen.decide(release, progress, state=State.BUILDING, lease=leases.LEASE)
    publish(release, progress, is_ours=lambda: WORK.renew(release, progress))
    return {"state": State.FROZEN}
