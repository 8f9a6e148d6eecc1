"""Who took answers out of a study: on record."""

from django.db import transaction

from accounts import audit
from accounts.acts import Act
from accounts.models import User
from annotation.models import Project, Release


@transaction.atomic
def of_table(project: Project, table: str, *, by: User) -> None:
    """Somebody is sent a table of a study as a file."""
    audit.record(Act.TABLE_EXPORTED, by=by, on=project, table=table)


@transaction.atomic
def of_release(release: Release, file: str, *, by: User) -> None:
    """Somebody is sent a file of a release, or all of them as an archive."""
    audit.record(Act.RELEASE_DOWNLOADED, by=by, on=release, file=file)
