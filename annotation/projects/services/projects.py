"""Create a project, change its settings and its members, with audit records."""

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from itertools import zip_longest
from typing import Any

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import ARCHIVED
from annotation.models import AnnotatorReply, Duty, Membership, Project, Role
from annotation.projects.protocols import PROTOCOLS, columns
from annotation.projects.settings import OF_JUDGING, PROTOCOL, SETTINGS, TEXTS
from annotation.stats.labels import Scheme
from generation.nlp.text import MAX_CHARACTERS, RefusedText, check


class Stale(Exception):
    """Another person changed settings since they were read; `fields` names them."""

    def __init__(self, fields: list[str]) -> None:
        super().__init__(", ".join(fields))
        self.fields = fields


@transaction.atomic
def create(
    name: str,
    *,
    protocol: str = "paws",
    managers: Iterable[User] = (),
    by: User | None = None,
    **settings: object,
) -> Project:
    """Create a project under a named protocol; `settings` are further columns of Project.

    `by` is recorded; None means the command line, here and in all services. Raises KeyError for an
    unknown protocol and ValidationError for settings that contradict it.
    """
    if not name.strip():
        raise ValidationError({"name": _("Give the project a name.")})
    try:
        name = check(name, max_characters=MAX_CHARACTERS)
    except RefusedText:
        message = _(
            "Remove line breaks, tabs and characters that are invisible or not valid Unicode "
            "from the name."
        )
        raise ValidationError({"name": message}) from None
    project = Project(name=name, **(columns(PROTOCOLS[protocol]) | settings))
    _date_consent(project, before="")
    project.full_clean()
    project.save()
    audit.record(Act.PROJECT_MADE, by=by, on=project)
    for manager in managers:
        add_member(project, manager, role=Role.MANAGER, by=by)
    return project


@transaction.atomic
def add_member(
    project: Project,
    user: User,
    *,
    role: Role = Role.ANNOTATOR,
    kinds: Collection[str] | None = None,
    by: User | None = None,
) -> Membership:
    """Add a member to a project, or change their role and the kinds of work that they may do.

    `kinds` None means those that are usual for the role.
    """
    kinds = usual_kinds(project, role) if kinds is None else kinds
    membership, _made = Membership.objects.update_or_create(
        project=project, user=user, defaults={"role": role}
    )
    allow(membership, kinds)
    details = {"role": role} | despite_votes(role, kinds)
    audit.record(Act.MEMBER_ADDED, by=by, on=user, project=project, **details)
    return membership


def usual_kinds(project: Project, role: str) -> list[str]:
    """Return the kinds of work for a newcomer of this role: none for those who may see votes."""
    return list(project.kinds) if role == Role.ANNOTATOR else []


def despite_votes(role: str, kinds: Collection[str]) -> dict[str, Any]:
    """Return details for the record if a person who may see votes gets work."""
    return {"kinds": sorted(kinds)} if kinds and role != Role.ANNOTATOR else {}


def allow(membership: Membership, kinds: Collection[str]) -> None:
    """Let a member do these kinds of work of the project, and no others."""
    for kind in membership.project.kinds:
        Duty.objects.update_or_create(
            membership=membership, kind=kind, defaults={"allowed": kind in kinds}
        )


def stamp(project: Project) -> str:
    """Return a digest for each setting, to detect concurrent changes."""
    return " ".join(digest(getattr(project, name)) for name in SETTINGS)


@transaction.atomic
def change(
    project: Project, values: Mapping[str, Any], *, by: User, read: str | None = None
) -> list[str]:
    """Change settings to `values`; return the names of those that changed.

    `read` is the `stamp` of the settings that the person saw. Raises Stale if those in `values`
    have changed since, and ValidationError if `values` change a fixed setting or contradict each
    other, or if the project is archived.
    """
    stored = Project.objects.select_for_update().get(pk=project.pk)  # see with_protocol
    moved = [] if read is None else _changed_settings(read, stamp(stored))
    if moved := [name for name in moved if name in values]:
        raise Stale(moved)
    changes = {name: value for name, value in values.items() if getattr(stored, name) != value}
    _refuse_fixed(stored, changes)
    before = {name: getattr(stored, name) for name in changes}
    for name, value in changes.items():
        setattr(stored, name, value)
    _date_consent(stored, before.get("consent", stored.consent))
    stored.full_clean(exclude={field.name for field in Project._meta.fields} - changes.keys())
    if changes:
        stored.save(update_fields=[*changes, "consent_changed_at"])
        values = {name: [old, getattr(stored, name)] for name, old in before.items()}
        if "scheme" in values:
            values["scheme"] = [scheme.to_dict() for scheme in values["scheme"]]
        plain = {name: value for name, value in values.items() if name not in TEXTS}
        texts = [name for name in values if name in TEXTS]
        audit.record(Act.PROJECT_CHANGED, by=by, on=stored, values=plain, texts=texts)
    return list(changes)


def lock(project: Project) -> None:
    """Lock a project before a transaction changes which answers count, or what a release has."""
    # An update that changes nothing: where `lock_to_read` has waited for it, Postgres tells so.
    Project.objects.filter(pk=project.pk).update(seed=F("seed"))


def lock_to_read(project: Project) -> Project:
    """Return the project as it is stored; `lock` waits until the transaction ends."""
    # No change under `lock` is in progress then: by the times of such changes, releases know what
    # counted at their moment. So it comes first in `as_of_one_moment`.
    return Project.objects.select_for_update(no_key=True).get(pk=project.pk)


def with_protocol(project: Project) -> Project:
    """Return the project as it is stored; `change` waits until the transaction ends."""
    # For those who create pairs: a project that was read earlier may have other settings. They do
    # not wait for `lock`, which a release may hold for seconds.
    statement = "SELECT * FROM annotation_project WHERE id = %s"
    # On SQLite, transactions that write run one after the other.
    share = " FOR KEY SHARE" if connection.vendor == "postgresql" else ""
    return Project.objects.raw(statement + share, [project.pk])[0]


def _date_consent(project: Project, before: str) -> None:
    """Update the date of the consent text, so that people who accepted `before` are asked again."""
    if not project.consent:
        project.consent_changed_at = None
    elif project.consent != before or project.consent_changed_at is None:
        project.consent_changed_at = timezone.now()


def _refuse_fixed(project: Project, changes: Mapping[str, Any]) -> None:
    if project.archived_at is not None:
        raise ValidationError(ARCHIVED)
    if not project.judges and (useless := OF_JUDGING & changes.keys()):
        reason = _("No one judges pairs in this project, so this setting has no effect.")
        raise ValidationError(dict.fromkeys(useless, reason))
    if "least_in_group" in changes and (reason := _why_group_stays(project, changes)):
        raise ValidationError({"least_in_group": reason})
    fixed = [name for name in PROTOCOL if name in changes]
    if fixed and project.items.exists():
        reason = _("This setting is locked, because the project has candidates or pairs.")
        raise ValidationError(dict.fromkeys(fixed, reason))


def _why_group_stays(project: Project, changes: Mapping[str, Any]) -> str:
    """Return why the smallest group of replies may not change as asked; empty if it may."""
    if project.releases.filter(frozen_at__isnull=False).exists():
        return _("This setting is locked, because the project has a release.")
    is_lower = changes["least_in_group"] < project.least_in_group
    if is_lower and AnnotatorReply.objects.filter(question__project=project).exists():
        return _("People have answered under this number, so it can only be raised.")
    return ""


def _changed_settings(read: str, now: str) -> list[str]:
    compared = zip_longest(SETTINGS, read.split(), now.split())
    return [name for name, then, today in compared if name and then != today]


def digest(value: object) -> str:
    plain_value = value.to_dict() if isinstance(value, Scheme) else value
    return hashlib.sha256(json.dumps(plain_value).encode()).hexdigest()[:12]
