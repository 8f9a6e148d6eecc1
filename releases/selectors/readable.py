"""Selects the releases that a person can read over REST."""

from django.db.models import Q, QuerySet

from annotation.access import readers
from annotation.access.readers import Reader
from releases.models import Release

PUBLISHED = [Release.State.FROZEN, Release.State.WITHDRAWN]


def releases(reader: Reader) -> QuerySet[Release]:
    """Return the releases of projects that a person manages or researches.

    Only managers see releases that are not frozen.
    """
    found = Release.objects.filter(project__in=readers.projects(reader)).select_related("project")
    return found.filter(Q(state__in=PUBLISHED) | Q(project__in=readers.managed(reader)))
