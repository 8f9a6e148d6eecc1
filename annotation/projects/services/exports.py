"""Who took answers out of a study: on record."""

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Project


@transaction.atomic
def of_table(project: Project, table: str, *, by: User) -> None:
    """Somebody is sent a table of a study as a file."""
    audit.record(Act.TABLE_EXPORTED, by=by, on=project, table=table)
