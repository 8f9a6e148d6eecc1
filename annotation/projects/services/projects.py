"""Set up a study: project, members and runs."""

from collections.abc import Collection

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Duty, Membership, Project, Role
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
    kinds: Collection[str] | None = None,
    by: User | None = None,
) -> Membership:
    """Add a member to a project, or change their role and the kinds of work that they may do.

    `kinds` None means every kind of the project.
    """
    membership, _ = Membership.objects.update_or_create(
        project=project, user=user, defaults={"role": role}
    )
    allow(membership, project.kinds if kinds is None else kinds)
    audit.record(Act.MEMBER_ADDED, by=by, on=user, project=project, role=role)
    return membership


def allow(membership: Membership, kinds: Collection[str]) -> None:
    """Let a member do these kinds of work of the project, and no others."""
    for kind in membership.project.kinds:
        Duty.objects.update_or_create(
            membership=membership, kind=kind, defaults={"allowed": kind in kinds}
        )


@transaction.atomic
def adopt(project: Project, run: GenerationRun) -> None:
    """Add the candidates of a run to the project as its batches finish."""
    project.runs.add(run)


def lock(project: Project) -> None:
    """Lock a project while a transaction changes which answers count, or reads them to release."""
    # Releases determine what counted at their moment from the times of such changes.
    Project.objects.select_for_update(no_key=True).get(pk=project.pk)
