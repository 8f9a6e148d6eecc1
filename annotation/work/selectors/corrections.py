"""Candidates of a project that need correction, and their outcomes."""

from django.db.models import Q, QuerySet

from annotation.models import Correction, Project
from common import keyset
from common.keyset import Key, Page

PAGE = 50
STATES = {
    "": Q(),
    "waiting": Q(action=None),
    "accepted": Q(action=Correction.Action.ACCEPT),
    "fixed": Q(action=Correction.Action.FIX),
    "rejected": Q(action=Correction.Action.REJECT),
    "set_aside": Q(action=None, set_aside_at__isnull=False),
}


def chosen(
    project: Project, *, state: str = "", method: str = "", words: tuple[str, ...] = ()
) -> QuerySet[Correction]:
    """Return candidates in a state, by method, that contain all of the words."""
    rows = Correction.objects.filter(STATES[state], project=project).select_related(
        "annotator", "candidate__run__corpus", "candidate__sentence", "pair"
    )
    if method:
        rows = rows.filter(candidate__run__method=method)
    for word in words:
        rows = rows.filter(Q(candidate__text__icontains=word) | Q(text__icontains=word))
    return rows


def page(
    rows: QuerySet[Correction], *, after: Key | None = None, before: Key | None = None
) -> Page[Correction]:
    """Return one page, newest candidate first."""
    return keyset.page(rows, columns=["-id"], size=PAGE, after=after, before=before)
