"""Skips with their reasons, and items that are set aside because of one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.models import Correction, Project, SentencePair, Skip
from common import keyset
from common.keyset import Key, Page

PAGE = 50
# More than a manager handles in one session.
MOST_ASIDE = 200
KINDS = {"": {}, "pair": {"pair__isnull": False}, "correction": {"correction__isnull": False}}


@dataclass(frozen=True, slots=True)
class Aside:
    """An item that is set aside until a manager returns it, with its skips."""

    kind: str
    item: Any
    since: datetime | None
    skips: list[Skip]


def set_aside(project: Project) -> list[Aside]:
    """Return pairs and candidates that are set aside, oldest first, at most MOST_ASIDE of each.

    Runs two queries that scan the project, and one for the skips of each kind.
    """
    aside = {"project": project, "set_aside_at__isnull": False}
    pairs = SentencePair.objects.filter(**aside).select_related("sentence1__corpus", "sentence2")
    candidates = Correction.objects.filter(**aside, action=None).select_related(
        "candidate__run__corpus"
    )
    found = [
        Aside(kind, item, item.set_aside_at, list(item.skips.all()))
        for kind, rows in (("pair", pairs), ("correction", candidates))
        for item in rows.prefetch_related(_with_people())[:MOST_ASIDE]
    ]
    return sorted(found, key=lambda each: each.item.set_aside_at)


def chosen(project: Project, *, kind: str = "", reason: str = "") -> QuerySet[Skip]:
    """Return skips, optionally of a kind of item (KINDS) or for a reason (Skip.Reason)."""
    rows = Skip.objects.filter(project=project, **KINDS[kind]).select_related(
        "annotator",
        "pair__sentence1__corpus",
        "pair__sentence2",
        "correction__candidate__run__corpus",
    )
    return rows.filter(reason=reason) if reason else rows


def page(
    rows: QuerySet[Skip], *, after: Key | None = None, before: Key | None = None
) -> Page[Skip]:
    """Return one page, latest skip first."""
    return keyset.page(rows, columns=["-id"], size=PAGE, after=after, before=before)


def _with_people() -> Prefetch:  # type: ignore[type-arg]
    return Prefetch("skips", Skip.objects.select_related("annotator").order_by("pk"))
