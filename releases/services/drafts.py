"""Creates, changes, queues and discards drafts of releases.

Each new or changed draft requests a preview of its content.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Project
from annotation.projects.services import projects
from common.leases import next_round
from releases.dataset.manifest import AnySettings
from releases.models import PlannedMetadata, Release, ReleasePreview
from releases.selectors.releases import any_settings_of, planned_metadata
from releases.services.frozen import new_draft, propose_release, settings_for
from releases.services.published import discard_sources
from releases.services.steps import Unchangeable

State = Release.State
CHANGEABLE = ("version", "seed", "settings", "metadata")
DATASET = "dataset"  # among the names of settings
NOTHING_DONE = {"step": "", "done": 0, "total": 0, "failure": ""}


def proposed_settings(project: Project) -> AnySettings:
    """Return the settings of the last version, or else those of a first one. Raises ValueError."""
    last = project.releases.first()
    return any_settings_of(last) if last else settings_for(project)


@transaction.atomic
def create_draft(
    project: Project, *, version: str, by: User | None = None, **choices: Any
) -> Release:
    """Create a draft; `choices` are `metadata` and fields of the settings.

    Raises ValidationError for a version that exists or is no file name, and ValueError for settings
    that contradict each other.
    """
    release = propose_release(project, version=version, **choices)
    release.created_by = by
    release.save()
    request_preview(release)
    audit.record(Act.RELEASE_DRAFTED, by=by, on=release)
    return release


@transaction.atomic
def plan_dataset(
    project: Project, planned: dict[str, Any], values: Mapping[str, Any], *, by: User, read: str
) -> list[str]:
    """Change settings to `values`, and what is planned of the dataset; return what changed.

    Raises what `projects.change` raises.
    """
    try:
        changed = projects.change(project, values, by=by, read=read)  # locks the project
    except projects.Stale as stale:
        moved = [] if _is_as_read(planned_metadata(project), read) else [DATASET]
        raise projects.Stale([*stale.fields, *moved]) from stale
    before = planned_metadata(project)
    if planned == before:
        return changed
    if not _is_as_read(before, read):
        raise projects.Stale([DATASET])
    PlannedMetadata.objects.update_or_create(project=project, defaults={"metadata": planned})
    audit.record(Act.PROJECT_CHANGED, by=by, on=project, texts=[DATASET])
    return [*changed, DATASET]


def _is_as_read(planned: dict[str, Any], read: str) -> bool:
    return read.endswith(f" {projects.digest(planned)}")


def planning_stamp(project: Project) -> str:
    """Return a digest for each setting and for the dataset; see `projects.stamp`."""
    return f"{projects.stamp(project)} {projects.digest(planned_metadata(project))}"


@transaction.atomic
def change_draft(
    release: Release, *, version: str, by: User | None = None, **choices: Any
) -> Release:
    """Raises what `create_draft` raises, or Unchangeable."""
    new_values = new_draft(release.project, version=version, **choices)
    columns = {name: getattr(new_values, name) for name in CHANGEABLE}
    for name, value in columns.items():
        setattr(release, name, value)
    release.full_clean(exclude=["facts", "left_out"])
    _change(_rows(release, State.DRAFT), **columns)
    request_preview(release)
    audit.record(Act.RELEASE_CHANGED, by=by, on=release)
    return release


@transaction.atomic
def request_preview(release: Release) -> None:
    """The result of a preview in progress is discarded. Raises Unchangeable."""
    if not _rows(release, State.DRAFT).exists():
        raise Unchangeable
    moment = timezone.now()
    ReleasePreview.objects.get_or_create(release=release, defaults={"asked_at": moment})
    preview = ReleasePreview.objects.select_for_update().get(release=release)
    ReleasePreview.objects.filter(release=release).update(
        state=ReleasePreview.State.WAITING,
        attempts=next_round(preview.attempts),
        asked_at=moment,
        content=None,
        **NOTHING_DONE,
    )


@transaction.atomic
def discard(release: Release, *, by: User | None = None) -> None:
    """Delete a draft. Raises Unchangeable in any other state."""
    if not _rows(release, State.DRAFT).delete()[0]:
        raise Unchangeable
    transaction.on_commit(partial(discard_sources, release))
    audit.record(Act.RELEASE_DISCARDED, by=by, on=release, version=release.version)


@transaction.atomic
def queue_draft(release: Release, *, by: User | None = None) -> None:
    """Raises Refused if the preview shows that it cannot be built, or Unchangeable."""
    if release.state == State.DRAFT:
        _refuse_what_cannot_be_built(release)
    as_read = _rows(release, State.DRAFT, State.FAILED).filter(attempts=release.attempts)
    _change(as_read, state=State.QUEUED, attempts=next_round(release.attempts), **NOTHING_DONE)
    audit.record(Act.RELEASE_QUEUED, by=by, on=release)


@transaction.atomic
def return_to_draft(release: Release, *, by: User | None = None) -> None:
    """Return a queued or failed release to draft. Raises Unchangeable.

    Deletes rows that a failed build froze; they were never published. Requests a preview if
    freezing deleted the previous one.
    """
    empty_columns: dict[str, Any] = {
        "frozen_at": None,
        "facts": {},
        "left_out": {},
        "manifest": None,
    }
    _change(
        _rows(release, State.QUEUED, State.FAILED), state=State.DRAFT, failure="", **empty_columns
    )
    audit.record(Act.RELEASE_TAKEN_BACK, by=by, on=release)
    release.examples.all().delete()
    release.lines.all().delete()
    release.pseudonyms.all().delete()
    if not ReleasePreview.objects.filter(release=release).exists():
        request_preview(release)


def _refuse_what_cannot_be_built(release: Release) -> None:
    impossible = ReleasePreview.State.IMPOSSIBLE
    preview = ReleasePreview.objects.filter(release=release, state=impossible).first()
    if preview is not None:
        text = _("This draft can't be built: %(reason)s Change it, or request a new preview.")
        raise Refused(text % {"reason": preview.failure})


def _rows(release: Release, *states: Release.State) -> QuerySet[Release]:
    return Release.objects.filter(pk=release.pk, state__in=states)


def _change(rows: QuerySet[Release], **columns: Any) -> None:
    if not rows.update(**columns):
        raise Unchangeable
