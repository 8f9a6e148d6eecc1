"""Drafts: what a release is to hold may be changed until it is built, or thrown away."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from annotation.dataset.preview import Preview, of
from annotation.errors import AnnotationError
from annotation.models import Project, Release
from annotation.services.releases.planning import new, planned, settings_now

State = Release.State
MAX_ATTEMPTS = 3


class Unchangeable(AnnotationError):
    """The release is no draft, or no longer what the person saw."""

    def __init__(self) -> None:
        super().__init__(_("The release is no longer as you saw it. Please look again."))


def draft(project: Project, *, version: str, by: User | None = None, **choices: Any) -> Release:
    """Begin a new version; nothing is decided by it yet.

    `choices` are fields of ReleaseSettings; those of the protocol are the project's. Raises
    ValidationError for a version that exists or is no file name, ValueError for settings that
    contradict themselves.
    """
    release = new(project, version=version, **choices)
    release.created_by = by
    release.full_clean(exclude=["facts", "left_out"])
    release.save()
    return release


def change(release: Release, *, version: str, **choices: Any) -> None:
    """Put other settings in place of a draft's. Raises what `draft` raises, and Unchangeable."""
    changed = new(release.project, version=version, **choices)
    release.version, release.seed, release.settings = version, changed.seed, changed.settings
    release.full_clean(exclude=["facts", "left_out"])
    columns = {name: getattr(release, name) for name in ("version", "seed", "settings")}
    _change(_as(release, State.DRAFT), **columns)


def discard(release: Release) -> None:
    """Throw a draft away. Raises Unchangeable for anything but a draft."""
    if not _as(release, State.DRAFT).delete()[0]:
        raise Unchangeable


def preview(release: Release) -> Preview:
    """What a draft would hold if it were built now; nothing is stored.

    Raises ValueError for settings that the pairs cannot fulfil.
    """
    settings = settings_now(release)
    _moment, plan = planned(release.project, settings, version=release.version)
    return of(plan, settings)


def queue(release: Release) -> None:
    """Let a worker build a draft, or try again what failed. Raises Unchangeable.

    Attempts count on for ever: by its number an attempt knows whether it is still the one that
    builds the release. Each round begins at a multiple of MAX_ATTEMPTS.
    """
    rounds = -(-release.attempts // MAX_ATTEMPTS)
    begun = {"attempts": rounds * MAX_ATTEMPTS, "step": "", "done": 0, "total": 0}
    waiting = _as(release, State.DRAFT, State.FAILED).filter(attempts=release.attempts)
    _change(waiting, state=State.QUEUED, failure="", **begun)


@transaction.atomic
def take_back(release: Release) -> None:
    """Make a draft again of what waits or has failed. Raises Unchangeable.

    Rows that a failed build has frozen go: nobody has ever seen them.
    """
    nothing: dict[str, Any] = {"frozen_at": None, "facts": {}, "left_out": {}, "manifest": None}
    _change(_as(release, State.QUEUED, State.FAILED), state=State.DRAFT, failure="", **nothing)
    release.examples.all().delete()
    release.pseudonyms.all().delete()


def _as(release: Release, *states: Release.State) -> QuerySet[Release]:
    """The row of the release, if it is in one of these states."""
    return Release.objects.filter(pk=release.pk, state__in=states)


def _change(rows: QuerySet[Release], **columns: Any) -> None:
    if not rows.update(**columns):
        raise Unchangeable
