"""Unblinded rows of the projects that a person manages or researches, or only manages.

Annotators get no rows of a project in which they only annotate.
"""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.models import JudgingModel, Membership, Project, SentencePair
from generation.models import Corpus, GenerationRun

READERS = [Membership.Role.MANAGER, Membership.Role.RESEARCHER]
Reader = User | AnonymousUser


def projects(reader: Reader) -> QuerySet[Project]:
    """Return projects that the person manages or researches; all for an administrator."""
    return _projects_by_role(reader, READERS)


def managed_projects(manager: Reader) -> QuerySet[Project]:
    """Return the projects that the person manages; all for an administrator."""
    return _projects_by_role(manager, [Membership.Role.MANAGER])


def may_create(user: User) -> bool:
    # An administrator's decision about the person comes before what their role allows.
    if user.is_superuser or user.may_create_projects is not None:
        return user.is_superuser or bool(user.may_create_projects)
    is_permitted = user.is_staff and user.has_perm("annotation.add_project")
    return is_permitted or managed_projects(user).exists()


def pairs(reader: Reader) -> QuerySet[SentencePair]:
    """Return the pairs of those projects, without gold pairs."""
    return SentencePair.objects.filter(project__in=projects(reader), gold_label=None)


def models(reader: Reader) -> QuerySet[JudgingModel]:
    """Return the models whose judgments those projects contain."""
    return JudgingModel.objects.filter(project__in=projects(reader))


def runs(reader: Reader) -> QuerySet[GenerationRun]:
    """Return the runs that those projects have added; all for an administrator."""
    return _runs(reader, projects(reader))


def corpora(reader: Reader) -> QuerySet[Corpus]:
    """Return the person's own corpora, and those of the projects; all for an administrator."""
    return _corpora(reader, projects(reader))


def usable_corpora(manager: Reader) -> QuerySet[Corpus]:
    """Return the corpora that the person may add to and start runs on; all for an administrator."""
    return _corpora(manager, managed_projects(manager))


def steerable_runs(manager: Reader) -> QuerySet[GenerationRun]:
    """Return the runs that projects of this manager have added; all for an administrator."""
    return _runs(manager, managed_projects(manager))


def _runs(person: Reader, of: QuerySet[Project]) -> QuerySet[GenerationRun]:
    rows = GenerationRun.objects.all()
    return rows if person.is_superuser else rows.filter(pk__in=of.values("runs"))


def _corpora(person: Reader, of: QuerySet[Project]) -> QuerySet[Corpus]:
    if person.is_superuser:
        return Corpus.objects.all()
    return Corpus.objects.filter(Q(owner=person.pk) | Q(pk__in=of.values("corpora")))


def _projects_by_role(person: Reader, roles: Collection[str]) -> QuerySet[Project]:
    if person.is_superuser:
        return Project.objects.all()
    return Project.objects.filter(memberships__user=person.pk, memberships__role__in=roles)
