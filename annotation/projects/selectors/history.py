"""The audit records of a project."""

import uuid
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from accounts.models import AuditEntry, User
from annotation import registry
from annotation.models import Project
from generation.models import GenerationRun


def of_project(project: Project) -> QuerySet[AuditEntry]:
    """Return records of a project and of the runs that it has adopted."""
    runs = GenerationRun.objects.filter(projects=project).values("public_id")
    steered = Q(project=None, kind=GenerationRun._meta.model_name, public_id__in=runs)
    return AuditEntry.objects.filter(Q(project=project.public_id) | steered)


def names_of(project: Project, entries: Iterable[AuditEntry]) -> dict[uuid.UUID, str]:
    """Return names of the records' subjects, by public id."""
    entries = list(entries)
    ids = {entry.public_id for entry in entries if entry.public_id}
    ids |= {uuid.UUID(entry.details["other"]) for entry in entries if "other" in entry.details}
    people = User.objects.filter(public_id__in=ids).values_list("public_id", "username")
    files = project.imports.filter(public_id__in=ids).values_list("public_id", "name")
    named = dict(people) | dict(files)
    for others in registry.names_in_history:
        named |= others(project, ids)
    return named
