"""The audit records of a project."""

import uuid
from collections.abc import Iterable

from django.db.models import Q, QuerySet

from accounts.models import AuditEntry, User
from annotation import registry
from annotation.models import Project
from generation.models import GenerationRun

# Details that hold the public id of a person, or a list of them.
PEOPLE = ("other", "low", "best")


def of_project(project: Project) -> QuerySet[AuditEntry]:
    """Return records of a project and of the runs that it has adopted."""
    runs = GenerationRun.objects.filter(projects=project).values("public_id")
    steered = Q(project=None, kind=GenerationRun._meta.model_name, public_id__in=runs)
    return AuditEntry.objects.filter(Q(project=project.public_id) | steered)


def people_in(entry: AuditEntry, name: str) -> list[str]:
    """Return the public ids in a detail; older entries only have the number of people."""
    value = entry.details.get(name, [])
    if isinstance(value, int):
        return []
    return value if isinstance(value, list) else [value]


def names_of(project: Project, entries: Iterable[AuditEntry]) -> dict[uuid.UUID, str]:
    """Return names of the records' subjects, by public id."""
    entries = list(entries)
    ids = {entry.public_id for entry in entries if entry.public_id}
    ids |= {
        uuid.UUID(key) for entry in entries for name in PEOPLE for key in people_in(entry, name)
    }
    people = User.objects.filter(public_id__in=ids).values_list("public_id", "username")
    files = project.imports.filter(public_id__in=ids).values_list("public_id", "name")
    questions = project.questions.filter(public_id__in=ids).values_list("public_id", "title")
    names = dict(people) | dict(files) | dict(questions)
    for names_of in registry.names_in_history:
        names |= names_of(project, ids)
    return names
