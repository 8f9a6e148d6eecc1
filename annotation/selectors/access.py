"""Who may come in: one gate for each kind of object."""

import uuid

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from annotation.models import Membership, Project
from generation.models import GenerationRun


def membership_for(user: int, project_public_id: uuid.UUID) -> Membership:
    """A user's place in a project, by their ids, with both. Raises Membership.DoesNotExist."""
    return Membership.objects.select_related("project", "user").get(
        user=user, project__public_id=project_public_id
    )


def managed(manager: User | AnonymousUser) -> QuerySet[Project]:
    """Projects for which the person may start runs; all for an administrator."""
    if manager.is_superuser:
        return Project.objects.all()
    role = Membership.Role.MANAGER
    return Project.objects.filter(memberships__user=manager.pk, memberships__role=role)


def steerable(manager: User | AnonymousUser) -> QuerySet[GenerationRun]:
    """Runs that those projects have adopted; all for an administrator."""
    if manager.is_superuser:
        return GenerationRun.objects.all()
    return GenerationRun.objects.filter(pk__in=managed(manager).values("runs"))
