"""Builds releases and previews drafts: one worker at a time, which leases what it works on.

If a worker dies, another continues: frozen rows are kept, and unfinished files are written again
with the same bytes.
"""

from typing import Any

from releases.dataset import preview as previews
from releases.dataset.plan import plan
from releases.dataset.preview import Preview
from releases.models import Release, ReleasePreview
from releases.selectors import pending
from releases.services import frozen, leases
from releases.services.drafts import State
from releases.services.leases import PLANNING, Progress, Work
from releases.services.plans import Rows, digest_now, read, settings_now
from releases.services.publication import publish

PreviewState = ReleasePreview.State


def fits(preview: ReleasePreview) -> bool:
    """Return whether a preview was created with the current settings of its draft and project."""
    return preview.settings_digest == digest_now(preview.release)


def _build(release: Release, progress: Progress) -> dict[str, Any]:
    frozen.decide(release, progress, state=State.BUILDING, lease=leases.LEASE)
    publish(release, progress, is_ours=lambda: BUILDS.renew(release, progress))
    return {"state": State.FROZEN}


def _preview(preview: ReleasePreview, progress: Progress) -> dict[str, Any]:
    release = preview.release
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
        failed = {"state": PreviewState.IMPOSSIBLE, "failure": str(error), "content": None}
        return seen | failed
    return seen | {"state": PreviewState.MADE, "content": content}


def _of(release: Release, rows: Rows) -> Preview:
    """Return the preview. Raises ValueError if the pairs cannot satisfy the settings."""
    settings = settings_now(release)
    planned = plan(rows.sentences, rows.pairs, rows.candidates, settings=settings)
    return previews.of(planned, settings)


BUILDS = Work(
    pending=pending.waiting,
    act=_build,
    named=lambda release: {"release": str(release.public_id)},
    waits=State.QUEUED,
    goes_on=State.BUILDING,
    failed=State.FAILED,
    lost="Three workers died over this release.",
)
PREVIEWS = Work(
    pending=pending.waiting_previews,
    act=_preview,
    named=lambda preview: {"draft": str(preview.release.public_id)},
    waits=PreviewState.WAITING,
    goes_on=PreviewState.UNDER_WAY,
    failed=PreviewState.FAILED,
    lost="Three workers died over this preview.",
)
build_next, preview_next = BUILDS.do_next, PREVIEWS.do_next
