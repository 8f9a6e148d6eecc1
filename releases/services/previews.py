"""Previews: a worker plans a draft and stores a summary of the plan."""

from functools import partial
from typing import Any

from structlog.contextvars import bound_contextvars

from common import clock
from common.retry import Retry
from releases.dataset import preview as previews
from releases.dataset.plan import plan
from releases.dataset.preview import Preview
from releases.models import Release, ReleasePreview
from releases.selectors import pending
from releases.services import leases
from releases.services.plans import Rows, digest_now, read, settings_now
from releases.services.progress import PLANNING, Progress

State = ReleasePreview.State
LOST = "Three workers died over this preview."
WORK: leases.Work[ReleasePreview] = leases.Work(
    waits=State.WAITING, goes_on=State.UNDER_WAY, failed=State.FAILED, lost=LOST
)


def preview_next(*, patience: Retry | None = None) -> bool:
    """Claim and create the oldest pending preview. Return False if there is none or it failed."""
    patiently = patience or Retry()
    preview = patiently(claim)
    return preview is not None and make(preview, patience=patiently)


def claim() -> ReleasePreview | None:
    """Lease the oldest preview that is waiting or whose worker died; None if there is none."""
    return WORK.claim(pending.waiting_previews(clock.now()))


def make(preview: ReleasePreview, *, patience: Retry | None = None) -> bool:
    """Plan the draft of a claimed preview, and store the result or the error.

    Returns False if this failed or a new preview was requested meanwhile.
    """
    with bound_contextvars(draft=str(preview.release.public_id)):
        return WORK.attempt(preview, partial(_look, preview.release), patience=patience)


def fits(preview: ReleasePreview) -> bool:
    """Return whether a preview was created with the current settings of its draft and project."""
    return preview.settings_digest == digest_now(preview.release)


def _look(release: Release, progress: Progress) -> dict[str, Any]:
    rows = read(release.project, version=release.version, progress=progress)
    progress.begin(PLANNING)
    seen = {
        "read_at": rows.moment.at,
        "decided": len(rows.pairs),
        "candidates": len(rows.candidates),
        "settings_digest": digest_now(release),
    }
    try:
        content = _of(release, rows).to_dict()
    except ValueError as error:
        return seen | {"state": State.IMPOSSIBLE, "failure": str(error), "content": None}
    return seen | {"state": State.MADE, "content": content}


def _of(release: Release, rows: Rows) -> Preview:
    """Return the preview. Raises ValueError if the pairs cannot satisfy the settings."""
    settings = settings_now(release)
    planned = plan(rows.sentences, rows.pairs, rows.candidates, settings=settings)
    return previews.of(planned, settings)
