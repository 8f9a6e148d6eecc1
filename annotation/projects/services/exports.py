"""Audit records of study downloads."""

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Project


@transaction.atomic
def of_table(project: Project, table: str, *, by: User) -> None:
    """Record that a person downloads a table of a study."""
    audit.record(Act.TABLE_EXPORTED, by=by, on=project, table=table)
