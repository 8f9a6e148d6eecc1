"""Pairs on which too few people agree: their rounds and expert decisions."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, QuerySet

from accounts.models import User
from annotation.models import Adjudication, Project, Reopening, SentencePair, Slot
from annotation.pairs.selectors import pairs
from annotation.pairs.selectors.pairs import Wanted
from annotation.work.keys import KEYS_PER_ITEM


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a pair: its result, and who reopened the pair afterwards.

    `tally` and `decided_at` are None while it is open; `ended_by` is None for the latest round.
    """

    number: int
    tally: list[int] | None
    label: int | None
    decided_at: datetime | None
    answers: list[Slot]
    ended_by: User | None = None
    ended_at: datetime | None = None


def reopenable(project: Project) -> QuerySet[SentencePair]:
    """Return decided pairs without agreement whose queue keys suffice for another round."""
    most = KEYS_PER_ITEM - 1 - project.judgments_per_pair
    return SentencePair.objects.filter(
        project=project, gold_label=None, consensus__kept=False, slot_count__lte=most
    )


def to_reopen(project: Project, wanted: Wanted) -> QuerySet[SentencePair]:
    """Return the reopenable pairs that match the filters of a table."""
    return pairs.chosen(project, wanted).filter(pk__in=reopenable(project).values("pk"))


def judges(project: Project) -> int:
    """Return the number of members who can judge now."""
    return project.memberships.filter(
        duties__kind="judge", duties__allowed=True, paused_at=None
    ).count()


def rounds_of(keys: Collection[int]) -> Counter[int]:
    """Map each pair to the number of its latest round: 1 for a pair never reopened."""
    reopened = Reopening.objects.filter(pair__in=keys).order_by().values_list("pair")
    return Counter(dict.fromkeys(keys, 1)) + Counter(dict(reopened.annotate(Count("pk"))))


def reopenings(pair: SentencePair) -> list[Reopening]:
    """Return the reopenings of a pair, oldest first."""
    return list(pair.reopenings.select_related("by"))


def rounds(
    pair: SentencePair, slots: Collection[Slot], ended: Collection[Reopening]
) -> list[Round]:
    """Return all rounds of a pair, oldest first, from its slots by number and its reopenings."""
    found = [
        Round(
            number=each.number - 1,
            tally=each.tally,
            label=each.label,
            decided_at=each.decided_at,
            answers=[slot for slot in slots if slot.superseded_by_id == each.pk],
            ended_by=each.by,
            ended_at=each.created_at,
        )
        for each in ended
    ]
    return [*found, _latest(pair, slots, number=len(ended) + 1)]


def adjudications(pair: SentencePair) -> list[Adjudication]:
    """Return the expert decisions on a pair, newest first; the first is in force."""
    return list(pair.adjudications.select_related("by").order_by("-pk"))


def _latest(pair: SentencePair, slots: Collection[Slot], *, number: int) -> Round:
    decided = getattr(pair, "consensus", None)
    return Round(
        number=number,
        tally=decided.tally if decided else None,
        label=decided.label if decided else None,
        decided_at=decided.decided_at if decided else None,
        answers=[
            slot for slot in slots if slot.superseded_by_id is None and slot.label is not None
        ],
    )
