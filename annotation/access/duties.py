"""Reads a person's duty in a project, with membership and project, in one statement."""

import uuid
from functools import cache

from django.db import connection

from annotation.models import Duty, Membership, Project
from common.columns import Columns

# Long texts that few pages show; those pages load them separately.
LONG = frozenset({"description", "guidelines", "consent"})
DUTY, MEMBER = Columns(Duty, "duty"), Columns(Membership, "member")
PROJECT = Columns(Project, "project", without=LONG)
WITH_GUIDELINES = Columns(Project, "project", without=LONG - {"guidelines"})


def find(*, user: int, project: uuid.UUID, kind: str, guidelines: bool = False) -> Duty | None:
    """Return the user's duty for a kind of work; None if they may not do it.

    `project` is its public id. With `guidelines`, their text is read too.
    """
    project_columns = WITH_GUIDELINES if guidelines else PROJECT
    public_id = Project._meta.get_field("public_id").get_db_prep_value(project, connection)
    with connection.cursor() as cursor:
        cursor.execute(_statement(project_columns), [public_id, user, kind])
        row = cursor.fetchone()
    if row is None:
        return None
    to_member, to_project = len(DUTY.fields), len(DUTY.fields) + len(MEMBER.fields)
    duty = DUTY.instance(row[:to_member])
    duty.membership = MEMBER.instance(row[to_member:to_project])
    duty.membership.project = project_columns.instance(row[to_project:])
    return duty


@cache
def _statement(project: Columns[Project]) -> str:
    return f"""
SELECT {DUTY.sql}, {MEMBER.sql}, {project.sql} FROM annotation_project project
JOIN annotation_membership member ON member.project_id = project.id
JOIN annotation_duty duty ON duty.membership_id = member.id
WHERE project.public_id = %s AND member.user_id = %s
AND duty.kind = %s AND duty.allowed"""  # noqa: S608 all parts are constants
