"""Builds releases and previews drafts: one worker at a time, which leases what it works on.

If a worker dies, another continues: frozen rows are kept, and unfinished files are written again
with the same bytes.
"""

from typing import Any

from django.utils import timezone

from releases.dataset import preview as previews
from releases.models import Release, ReleasePreview
from releases.selectors.releases import waiting, waiting_previews
from releases.services import frozen
from releases.services.leases import LEASE, Progress, Work
from releases.services.publication import publish

State = Release.State
PreviewState = ReleasePreview.State


def _build(release: Release, progress: Progress) -> dict[str, Any]:
    frozen.freeze_draft(release, progress, state=State.BUILDING, lease=LEASE)
    publish(release, progress, is_ours=lambda: BUILDS.renew(release, progress))
    return {"state": State.FROZEN}


def _preview(preview: ReleasePreview, progress: Progress) -> dict[str, Any]:
    release = preview.release
    now = timezone.now()
    try:
        _, settings, planned = frozen.plan_now(release, progress)
    except ValueError as error:
        return {"read_at": now, "state": PreviewState.IMPOSSIBLE, "failure": str(error)}
    content = previews.of(planned, settings).to_dict()
    return {"read_at": now, "state": PreviewState.MADE, "content": content}


BUILDS = Work(
    pending=waiting,
    act=_build,
    named=lambda release: {"release": str(release.public_id)},
    waits=State.QUEUED,
    goes_on=State.BUILDING,
    failed=State.FAILED,
    lost="Three workers died over this release.",
)
PREVIEWS = Work(
    pending=waiting_previews,
    act=_preview,
    named=lambda preview: {"draft": str(preview.release.public_id)},
    waits=PreviewState.WAITING,
    goes_on=PreviewState.UNDER_WAY,
    failed=PreviewState.FAILED,
    lost="Three workers died over this preview.",
)
build_next, preview_next = BUILDS.do_next, PREVIEWS.do_next
