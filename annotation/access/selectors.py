"""Memberships, and the projects and runs that a person may manage."""

import uuid

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from annotation.models import Duty, Membership, Project
from generation.models import GenerationRun

# Long texts that only few pages show; these load them when they need them.
LONG = ("description", "guidelines", "consent")


def membership_of(user: User, project_public_id: uuid.UUID) -> Membership:
    """Return a membership with its project. Raises Membership.DoesNotExist."""
    rows = Membership.objects.select_related("project").defer(
        *(f"project__{name}" for name in LONG)
    )
    membership = rows.get(user=user.pk, project__public_id=project_public_id)
    membership.user = user
    return membership


def duty_of(user: User, project_public_id: uuid.UUID, kind: str) -> Duty:
    """Return the duty of a user, with membership and project. Raises Duty.DoesNotExist."""
    rows = Duty.objects.select_related("membership__project").defer(
        *(f"membership__project__{name}" for name in LONG)
    )
    duty = rows.get(
        kind=kind,
        allowed=True,
        membership__user=user.pk,
        membership__project__public_id=project_public_id,
    )
    duty.membership.user = user
    return duty


def managed(manager: User | AnonymousUser) -> QuerySet[Project]:
    """Return the projects that the person manages; all for an administrator."""
    if manager.is_superuser:
        return Project.objects.all()
    role = Membership.Role.MANAGER
    return Project.objects.filter(memberships__user=manager.pk, memberships__role=role)


def steerable(manager: User | AnonymousUser) -> QuerySet[GenerationRun]:
    """Return the runs that those projects have added; all for an administrator."""
    if manager.is_superuser:
        return GenerationRun.objects.all()
    return GenerationRun.objects.filter(pk__in=managed(manager).values("runs"))
