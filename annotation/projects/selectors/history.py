"""The audit records of a project."""

import uuid
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from accounts.models import AuditEntry, User
from annotation import registry
from annotation.models import Project
from common import keyset
from common.keyset import Key, Page
from generation.models import GenerationRun

PAGE = 50


def of_project(project: Project) -> QuerySet[AuditEntry]:
    """Return records of a project and of the runs that it has adopted."""
    runs = GenerationRun.objects.filter(projects=project).values("public_id")
    steered = Q(project=None, kind=GenerationRun._meta.model_name, public_id__in=runs)
    return AuditEntry.objects.filter(Q(project=project.public_id) | steered)


def chosen(project: Project, *, act: str = "", by: uuid.UUID | None = None) -> QuerySet[AuditEntry]:
    """Return records, filtered by act and person (public id)."""
    rows = of_project(project).select_related("by")
    rows = rows.filter(act=act) if act else rows
    return rows.filter(by__public_id=by) if by else rows


def page(
    rows: QuerySet[AuditEntry], *, after: Key | None = None, before: Key | None = None
) -> Page[AuditEntry]:
    """Return a page of records, latest first."""
    return keyset.page(rows, columns=["-id"], size=PAGE, after=after, before=before)


def actors(project: Project) -> QuerySet[User]:
    """Return the people in the records."""
    return User.objects.filter(pk__in=of_project(project).values("by")).order_by("username")


def names(project: Project, entries: Iterable[AuditEntry]) -> dict[uuid.UUID, str]:
    """Return names of the records' subjects, by public id."""
    ids = {entry.public_id for entry in entries if entry.public_id}
    people = User.objects.filter(public_id__in=ids).values_list("public_id", "username")
    named = dict(people)
    for names_of in registry.names_in_history:
        named |= names_of(project, ids)
    return named
