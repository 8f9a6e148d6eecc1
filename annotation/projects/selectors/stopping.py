"""Whose work a change would stop, before it is made."""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from annotation.models import Membership, Project
from annotation.people.selectors import workforce

MOST_NAMED = 20


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
    return _stopped(project, _able(project))


def by_settings(project: Project, values: Mapping[str, Any]) -> Stopped:
    """Return the people who get work under the stored settings, and would not under `values`."""
    changed = copy.copy(project)
    for name, value in values.items():
        setattr(changed, name, value)
    if changed.consent and changed.consent != project.consent:
        changed.consent_changed_at = timezone.now()
    elif not changed.consent:
        changed.consent_changed_at = None
    return _stopped(project, _able(project) - _able(changed))


def _able(project: Project) -> set[int]:
    """Return the main accounts of the people who are given work of any kind while it is open."""
    return set().union(*workforce.people(project).values()) if project.is_open else set()


def _stopped(project: Project, accounts: set[int]) -> Stopped:
    members = Membership.objects.filter(project=project).select_related("user")
    users = [member.user for member in members]
    theirs = [user for user in users if (user.main_account_id or user.pk) in accounts]
    keys = [user.pk for user in theirs]
    held = project.slots.in_progress().filter(annotator__in=keys).count() if keys else 0
    return Stopped(sorted((user.get_username() for user in theirs), key=str.casefold), held)
