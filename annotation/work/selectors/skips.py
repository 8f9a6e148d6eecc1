"""What people passed over, and why; what is out of the queue because of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Prefetch, QuerySet

from annotation.models import Correction, Project, SentencePair, Skip
from common import keyset
from common.keyset import Key, Page

PAGE = 50
# Set aside and not put back: more than anybody goes through in one sitting.
MOST_ASIDE = 200
KINDS = {"": {}, "pair": {"pair__isnull": False}, "correction": {"correction__isnull": False}}


@dataclass(frozen=True, slots=True)
class Aside:
    """An item that waits for a manager, with those who passed it over."""

    kind: str
    item: Any
    since: datetime | None
    skips: list[Skip]


def set_aside(project: Project) -> list[Aside]:
    """Pairs and candidates out of the queue, the longest first; at most MOST_ASIDE of each.

    Two statements, and one for the skips of each sort; both look through all of the project.
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
    """Skips of items of a kind (KINDS) for a reason (Skip.Reason), or all."""
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
    """The latest first, a page at a time."""
    return keyset.page(rows, columns=["-id"], size=PAGE, after=after, before=before)


def _with_people() -> Prefetch:  # type: ignore[type-arg]
    return Prefetch("skips", Skip.objects.select_related("annotator").order_by("pk"))
