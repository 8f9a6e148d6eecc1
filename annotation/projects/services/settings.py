"""Create a project and change its settings, with audit records."""

import hashlib
import json
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Intake, Membership, Project
from annotation.projects.selectors import counts
from annotation.projects.services import projects
from annotation.projects.settings import PROTOCOL, SETTINGS, TEXTS
from generation.models import GenerationRun


class Stale(Exception):
    """Another person changed settings since they were read; `fields` names them."""

    def __init__(self, fields: list[str]) -> None:
        super().__init__(", ".join(fields))
        self.fields = fields


def stamp(project: Project) -> str:
    """Return a digest for each setting, to detect concurrent changes."""
    return " ".join(_digest(getattr(project, name)) for name in SETTINGS)


@transaction.atomic
def create(values: Mapping[str, Any], *, by: User) -> Project:
    """Create a project with `values` for its columns, managed by its creator.

    Raises ValidationError if values contradict each other.
    """
    project = projects.create(**values, by=by)
    projects.add_member(project, by, role=Membership.Role.MANAGER, by=by)
    return project


@transaction.atomic
def change(
    project: Project, values: Mapping[str, Any], *, by: User, read: str | None = None
) -> list[str]:
    """Change settings to `values`; return the names of those that changed.

    `read` is the `stamp` of the settings that the person saw. Raises Stale if they have changed
    since, and ValidationError if `values` change a fixed setting or contradict each other.
    """
    now = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if read is not None and (moved := _moved(read, stamp(now))):
        raise Stale(moved)
    changes = {name: value for name, value in values.items() if getattr(now, name) != value}
    _refuse_fixed(now, changes)
    before = {name: getattr(now, name) for name in changes}
    for name, value in changes.items():
        setattr(now, name, value)
    date_consent(now, before.get("consent", now.consent))
    now.full_clean()
    if changes:
        now.save(update_fields=[*changes, "consent_changed_at"])
        values = {name: [old, getattr(now, name)] for name, old in before.items()}
        plain = {name: value for name, value in values.items() if name not in TEXTS}
        texts = [name for name in values if name in TEXTS]
        audit.record(Act.PROJECT_CHANGED, by=by, on=now, values=plain, texts=texts)
    return list(changes)


def contradictions(project: Project, values: Mapping[str, Any]) -> dict[str, str]:
    """Return settings in `values` that conflict with the qualification set, with reasons."""
    found: dict[str, str] = {}
    if project.pk is None:
        return found
    pairs = project.qualification_pairs
    if values.get("asks_qualification") and not pairs.exists():
        found["asks_qualification"] = _("Write the qualification set first: it is empty.")
    highest = values.get("max_label")
    if highest is not None and pairs.filter(label__gt=highest).exists():
        found["max_label"] = _("The qualification set has higher grades.")
    return found


def date_consent(project: Project, before: str) -> None:
    """Update the date of the consent text, so that people who accepted `before` are asked again."""
    if not project.consent:
        project.consent_changed_at = None
    elif project.consent != before or project.consent_changed_at is None:
        project.consent_changed_at = timezone.now()


@transaction.atomic
def add_run(project: Project, run: GenerationRun, *, by: User) -> None:
    """Add a run to the project, and record it."""
    projects.adopt(project, run)
    audit.record(Act.RUN_ADDED, by=by, on=run, project=project)


@transaction.atomic
def remove_run(project: Project, run: GenerationRun, *, by: User) -> None:
    """Remove a run. Raises ValidationError if any of its candidates are in the project."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    if Intake.objects.filter(project=project, batch__run=run).exists():
        raise ValidationError(_("Candidates of this run are in the project already."))
    project.runs.remove(run)
    audit.record(Act.RUN_REMOVED, by=by, on=run, project=project)


def _refuse_fixed(project: Project, changes: Mapping[str, Any]) -> None:
    fixed = [name for name in PROTOCOL if name in changes]
    if fixed and counts.has_pairs(project):
        reason = _("The project has pairs, so this can no longer change.")
        raise ValidationError(dict.fromkeys(fixed, reason))


def _moved(read: str, now: str) -> list[str]:
    compared = zip_longest(SETTINGS, read.split(), now.split())
    return [name for name, then, today in compared if name and then != today]


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:12]
