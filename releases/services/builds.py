"""Builds releases and previews drafts: one worker at a time, which leases what it works on.

If a worker dies, another continues: frozen rows are kept, and unfinished files are written again
with the same bytes.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from accounts import events
from accounts.models import Event
from common import clock
from common.leases import LEASE, Progress, Work, update_as_read
from releases.dataset.manifest import Manifest
from releases.dataset.preview import summarize, summarize_published, summarize_translations
from releases.dataset.settings import ReleaseSettings
from releases.dataset.translated.files import TranslationSettings
from releases.dataset.translated.plan import TranslatedReleasePlan
from releases.models import Release, ReleasePreview
from releases.selectors.releases import PUBLISHED, folder_of
from releases.services.frozen import freeze_draft, plan_now
from releases.services.publication import publish, remove_files
from releases.services.published import PublishedPlan, UnreadSet
from releases.services.steps import HOPELESS, LostRelease

State = Release.State
PreviewState = ReleasePreview.State


def build(release: Release, *, output: Path | None = None) -> Manifest:
    """Build a release in this process, and return its manifest.

    `release` is unsaved, or waits to be built; the files of a frozen one are written again.
    `output` is a folder that must have room for a copy of the files. If an unsaved release cannot
    be built, nothing of it stays and its version is free; any other one has then failed.

    Raises LostRelease while a worker has the release, and the errors of freezing and publishing.
    """
    if release.state in PUBLISHED:
        return publish(release)
    is_new = release.pk is None
    if not is_new:
        _claim_build(release)
    try:
        return _build_and_publish(release, [output] if output else [])
    except BaseException as error:
        _abandon(release, error, is_new=is_new)
        raise


def _claim_build(release: Release) -> None:
    is_held = release.state == State.BUILDING and not BUILDS.pending(clock.now()).contains(release)
    attempt = {"attempts": release.attempts + 1, "lease_until": clock.now() + LEASE}
    if is_held or not update_as_read(release, state=State.BUILDING, failure="", **attempt):
        raise LostRelease(f"A worker is building {release} now.")
    release.refresh_from_db()


def _build_and_publish(release: Release, places: Sequence[Path]) -> Manifest:
    progress = Progress()
    _freeze(release, progress, places)
    with BUILDS.renewing(release, progress):
        manifest = publish(release, progress, is_ours=lambda: BUILDS.renew(release, progress))
    if not BUILDS.finish(release, state=State.FROZEN):
        raise LostRelease(f"Another worker builds {release}.")
    release.refresh_from_db()
    return manifest


def _abandon(release: Release, error: BaseException, *, is_new: bool) -> None:
    """Delete a release that was new; let any other fail. Nothing is done to one that was lost."""
    if is_new and release.pk:
        if Release.objects.filter(pk=release.pk, state=State.BUILDING, attempts=0).delete()[0]:
            remove_files(release)
    elif not is_new:
        BUILDS.finish(release, state=State.FAILED, failure=str(error) or type(error).__name__)


def _freeze(release: Release, progress: Progress, places: Sequence[Path] = ()) -> None:
    places = [folder_of(release).parent, *places]
    freeze_draft(release, progress, state=State.BUILDING, lease=LEASE, places=places)


def _build(release: Release, progress: Progress) -> dict[str, Any]:
    _freeze(release, progress)
    publish(release, progress, is_ours=lambda: BUILDS.renew(release, progress))
    return {"state": State.FROZEN}


def _make_preview(preview: ReleasePreview, progress: Progress) -> dict[str, Any]:
    release = preview.release
    moment = timezone.now()
    try:
        read, settings, planned = plan_now(release, progress)
    except ValueError as error:
        return {
            "read_at": moment,
            "state": PreviewState.IMPOSSIBLE,
            "failure": str(error),
            "content": error.to_dict() if isinstance(error, UnreadSet) else None,
        }
    if isinstance(planned, PublishedPlan):
        content = summarize_published(planned.published_set, planned.outline)
    elif isinstance(planned, TranslatedReleasePlan):
        content = summarize_translations(planned, cast(TranslationSettings, settings))
    else:
        content = summarize(planned, cast(ReleaseSettings, settings), read.facts["language"])
    return {"read_at": moment, "state": PreviewState.MADE, "content": content.to_dict()}


class BuildWork(Work[Release]):
    def finish(self, row: Release, **result: Any) -> bool:
        with transaction.atomic():
            is_stored = Work.finish(self, row, **result)
            if is_stored and result.get("state") == State.FROZEN:
                events.record(Event.Kind.RELEASE_FROZEN, row)
        return is_stored


BUILDS = BuildWork(
    kind="release",
    model=Release,
    title=str,
    act=_build,
    named=lambda release: {"release": str(release.public_id)},
    waiting_state=State.QUEUED,
    running_state=State.BUILDING,
    failed_state=State.FAILED,
    lost="Three workers died over this release.",
    hopeless=HOPELESS,
)
PREVIEWS = Work(
    kind="draft",
    model=ReleasePreview,
    title=lambda preview: str(preview.release),
    since="asked_at",
    among=Q(release__state=State.DRAFT),
    act=_make_preview,
    named=lambda preview: {"draft": str(preview.release.public_id)},
    waiting_state=PreviewState.WAITING,
    running_state=PreviewState.UNDER_WAY,
    failed_state=PreviewState.FAILED,
    lost="Three workers died over this preview.",
    hopeless=HOPELESS,
)
