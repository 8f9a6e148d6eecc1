"""What an installation holds: people, projects, models and their size."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db.models import Count, F, Q, QuerySet

from accounts.models import AuditEntry, User
from annotation.models import Membership, Project, Role, Slot
from annotation.projects.selectors import glance
from common import demonstration
from generation import model_store
from generation.errors import MissingModel
from generation.model_catalogue import MODELS, find_model
from generation.model_store import ModelRecord
from operations import storage
from releases.models import Release
from releases.selectors.releases import PUBLISHED


@dataclass(frozen=True, slots=True)
class Use:
    """Numbers of an installation; `bytes` are those of the database and the release files."""

    people: int
    simulated: int
    projects: int
    demonstrations: int
    answers: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Person:
    """An account, with the number of its projects, and whether it manages any."""

    user: User
    projects: int
    manages: bool


@dataclass(frozen=True, slots=True)
class ProjectRow:
    project: Project
    managers: list[str]
    answers: int
    releases: int
    last_answer: datetime | None


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that is here, or that can be fetched by name; its size is None if unknown."""

    name: str
    purpose: str
    licence: str
    bytes: int | None
    is_here: bool
    is_damaged: bool = False


def use() -> Use:
    accounts = User.objects.filter(erased_at=None)
    return Use(
        people=accounts.count(),
        simulated=accounts.filter(is_simulated=True).count(),
        projects=Project.objects.count(),
        demonstrations=Project.objects.filter(name__in=demonstration.STUDIES).count(),
        answers=Slot.objects.answered().count(),
        bytes=storage.describe_database()[1] + _bytes_in(Path(settings.RELEASES_DIR)),
    )


def people(words: str = "") -> QuerySet[User]:
    """Return the accounts of people, those with rights first; `words` is a part of a name."""
    rows = User.objects.filter(erased_at=None, is_simulated=False)
    for name in words.split():
        parts = Q(username__icontains=name) | Q(first_name__icontains=name)
        rows = rows.filter(parts | Q(last_name__icontains=name))
    may_create = F("may_create_projects").desc(nulls_last=True)
    return rows.order_by("-is_superuser", "-is_staff", may_create, "username")


def with_projects(accounts: Collection[User]) -> list[Person]:
    members = Membership.objects.filter(user__in=accounts).exclude(role=Role.REMOVED)
    managed = Count("pk", filter=Q(role=Role.MANAGER))
    counts = members.order_by().values_list("user").annotate(all=Count("pk"), managed=managed)
    by_account = {key: (number, managed > 0) for key, number, managed in counts}
    return [Person(user, *by_account.get(user.pk, (0, False))) for user in accounts]


def projects_of_simulated() -> int:
    simulated = Membership.objects.filter(user__is_simulated=True, user__erased_at=None)
    return simulated.order_by().values("project").distinct().count()


def with_figures(projects: Collection[Project]) -> list[ProjectRow]:
    managers = defaultdict[int, list[str]](list)
    rows = Membership.objects.filter(project__in=projects, role=Role.MANAGER)
    for key, name in rows.order_by("user__username").values_list("project", "user__username"):
        managers[key].append(name)
    answers = _count_by_project(Slot.objects.answered().filter(project__in=projects))
    published = Release.objects.filter(project__in=projects, state__in=PUBLISHED)
    releases, last = _count_by_project(published), glance.last_answers(projects)
    return [
        ProjectRow(
            project,
            managers[project.pk],
            answers.get(project.pk, 0),
            releases.get(project.pk, 0),
            last.get(project.pk),
        )
        for project in projects
    ]


def models() -> list[ModelRow]:
    """Return the models that are here, then those of the catalogue that are not."""
    here = model_store.names_here()
    others = [
        ModelRow(model.name, model.purpose, model.licence, model.megabytes * 10**6, is_here=False)
        for model in MODELS
        if model.name not in here
    ]
    return [*map(_model_here, here), *others]


def names_in(entries: Iterable[AuditEntry]) -> dict[uuid.UUID, str]:
    """Return the names of people and projects that entries of the log are about."""
    ids = {key for entry in entries for key in (entry.public_id, entry.project) if key}
    accounts = User.objects.filter(public_id__in=ids).values_list("public_id", "username")
    projects = Project.objects.filter(public_id__in=ids).values_list("public_id", "name")
    return dict(accounts) | dict(projects)


def _model_here(name: str) -> ModelRow:
    model = find_model(name)
    purpose, licence = (model.purpose, model.licence) if model else ("", "")
    folder = model_store.folder_of(name)
    try:
        record = ModelRecord.read(folder)
    except MissingModel:
        return ModelRow(name, purpose, licence, None, is_here=True, is_damaged=True)
    size = sum(record.sizes.values()) if record else _bytes_in(folder)
    return ModelRow(name, purpose, record.licence if record else licence, size, is_here=True)


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _count_by_project(rows: QuerySet[Slot] | QuerySet[Release]) -> dict[int, int]:
    return dict(rows.order_by().values_list("project").annotate(Count("pk")))
