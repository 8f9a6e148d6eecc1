"""Releases as arguments of commands."""

from django.core.management.base import CommandError

from annotation.management.arguments import project_named
from releases.models import Release


def release_named(version: str, project: str | None) -> Release:
    """Return the release of this version. Raises CommandError."""
    found = Release.objects.filter(version=version).select_related("project")
    if project is not None:
        found = found.filter(project=project_named(project))
    match list(found[:2]):
        case [only]:
            return only
        case []:
            raise CommandError(f"There is no release {version}.")
    raise CommandError(f"Several projects have a release {version}: name the --project.")
