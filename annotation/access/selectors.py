"""Memberships, and the projects and runs that a person may manage."""

import uuid
from functools import cache

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import QuerySet

from accounts.models import User
from annotation.access.cached_queries import Columns
from annotation.models import Membership, Project
from generation.models import GenerationRun

# Pages that need the long texts load them.
_MEMBER = Columns(Membership, "member")
_PROJECT = Columns(Project, "project", left_out=("description", "guidelines", "consent"))
_USER = Columns(User, "person")


def membership_for(user: int, project_public_id: uuid.UUID) -> Membership:
    """Return a membership with its project and user. Raises Membership.DoesNotExist."""
    public_id = Project._meta.get_field("public_id").get_db_prep_value(
        project_public_id, connection
    )
    with connection.cursor() as cursor:
        cursor.execute(_statement(), [public_id, user])
        row = cursor.fetchone()
    if row is None:
        raise Membership.DoesNotExist
    to_project, to_user = len(_MEMBER.fields), len(_MEMBER.fields) + len(_PROJECT.fields)
    membership = _MEMBER.object(row[:to_project])
    membership.project = _PROJECT.object(row[to_project:to_user])
    membership.user = _USER.object(row[to_user:])
    return membership


@cache
def _statement() -> str:
    return f"""
SELECT {_MEMBER.sql}, {_PROJECT.sql}, {_USER.sql} FROM annotation_project project
JOIN annotation_membership member ON member.project_id = project.id
JOIN accounts_user person ON person.id = member.user_id
WHERE project.public_id = %s AND member.user_id = %s"""  # noqa: S608 all parts are constants


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
