"""Setting up a study: the project, its people and its runs."""

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Membership, Project, Role
from annotation.projects.protocols import PROTOCOLS, columns
from generation.models import GenerationRun


@transaction.atomic
def create(
    name: str, *, protocol: str = "paws", by: User | None = None, **settings: object
) -> Project:
    """A new project under a named protocol; `settings` are further columns of Project.

    Raises KeyError for an unknown protocol and ValidationError for settings that contradict it.
    """
    project = Project(name=name, **(columns(PROTOCOLS[protocol]) | settings))
    project.full_clean()
    project.save()
    audit.record(Act.PROJECT_MADE, by=by, on=project)
    return project


@transaction.atomic
def add_member(
    project: Project,
    user: User,
    *,
    role: Role = Role.ANNOTATOR,
    may_correct: bool = True,
    may_judge: bool = True,
    by: User | None = None,
) -> Membership:
    """Give a person a place in a project, or change the one that they have."""
    membership, _ = Membership.objects.update_or_create(
        project=project,
        user=user,
        defaults={"role": role, "may_correct": may_correct, "may_judge": may_judge},
    )
    audit.record(Act.MEMBER_ADDED, by=by, on=user, project=project, role=role)
    return membership


@transaction.atomic
def adopt(project: Project, run: GenerationRun) -> None:
    """Let the candidates of a run enter the project as its batches are finished."""
    project.runs.add(run)


def stand_still(project: Project) -> None:
    """Until the transaction is over, nobody else changes which answers of a project count, or reads
    them for a release: what counted at its moment is told from the times of such steps."""
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
