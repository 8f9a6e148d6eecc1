"""The candidates of a study that are corrected first, and what became of each."""

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
    """Those in a state, made by a method, whose candidate holds each of the words."""
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
    """The newest candidate first, a page at a time."""
    return keyset.page(rows, columns=["-id"], size=PAGE, after=after, before=before)
