"""Whose work a change would stop, before it is made."""

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation.models import Membership, Project
from annotation.people.selectors import workforce
from annotation.projects.settings import ENTRANCE

MOST_NAMED = 20
# The settings that decide which members are given work.
ENTITLING = (*ENTRANCE, "limits")


@dataclass(frozen=True, slots=True)
class Stopped:
    """The user names of people who would get no more work, and the items that they have open."""

    names: list[str]
    in_progress: int

    @property
    def named(self) -> list[str]:
        return self.names[:MOST_NAMED]

    @property
    def others(self) -> int:
        return len(self.names) - len(self.named)


def by_closing(project: Project) -> Stopped:
    """Return everyone who gets work now."""
    members = _members(project)
    return _stopped(project, members, _able(project, members))


def by_settings(project: Project, values: Mapping[str, Any]) -> Stopped:
    """Return the people who get work under the stored settings, and would not under `values`."""
    stored = {name: getattr(project, name) for name in ENTITLING}
    if stored == {name: values.get(name, value) for name, value in stored.items()}:
        return Stopped([], 0)
    changed = copy.copy(project)
    for name, value in values.items():
        setattr(changed, name, value)
    if changed.consent and changed.consent != project.consent:
        changed.consent_changed_at = timezone.now()
    elif not changed.consent:
        changed.consent_changed_at = None
    members = _members(project)
    return _stopped(project, members, _able(project, members) - _able(changed, members))


def _members(project: Project) -> Sequence[Membership]:
    rows = Membership.objects.filter(project=project).select_related("user")
    return list(rows.prefetch_related("duties"))


def _able(project: Project, members: Sequence[Membership]) -> set[int]:
    """Return the main accounts of the members who are given work of any kind while it is open."""
    if not project.is_open:
        return set()
    return set().union(*workforce.of_members(project, members).values())


def _stopped(project: Project, members: Sequence[Membership], accounts: set[int]) -> Stopped:
    users = [member.user for member in members]
    theirs = [user for user in users if (user.main_account_id or user.pk) in accounts]
    keys = [user.pk for user in theirs]
    in_progress = project.slots.in_progress().filter(annotator__in=keys).count() if keys else 0
    names = sorted((user.get_username() for user in theirs), key=str.casefold)
    return Stopped(names, in_progress)
