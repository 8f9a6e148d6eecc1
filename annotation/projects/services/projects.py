"""Set up a study: project, members and runs."""

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
    """Create a project under a named protocol; `settings` are further columns of Project.

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
    """Add a member to a project, or change their role and rights."""
    membership, _ = Membership.objects.update_or_create(
        project=project,
        user=user,
        defaults={"role": role, "may_correct": may_correct, "may_judge": may_judge},
    )
    audit.record(Act.MEMBER_ADDED, by=by, on=user, project=project, role=role)
    return membership


@transaction.atomic
def adopt(project: Project, run: GenerationRun) -> None:
    """Add the candidates of a run to the project as its batches finish."""
    project.runs.add(run)


def stand_still(project: Project) -> None:
    """Lock a project while a transaction changes which answers count, or reads them to release."""
    # Releases determine what counted at their moment from the times of such changes.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
