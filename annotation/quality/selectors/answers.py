"""A person's latest answers, and other people's labels on the same pairs."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Judgment, Membership
from annotation.stats.quality import Answer

RECENT = 200


@dataclass(frozen=True, slots=True)
class Recent:
    """A person's latest answers, oldest first, and other people's median time on those pairs."""

    answers: list[Answer]
    usual_seconds: float | None


def givers(*, since: datetime | None = None) -> QuerySet[Membership]:
    """Return unpaused members of open projects who have judged, ordered by project.

    With `since`, only members who have judged after that time.
    """
    given = Judgment.objects.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), submitted_at__isnull=False
    )
    if since is not None:
        given = given.filter(submitted_at__gt=since)
    at_work = Membership.objects.filter(project__is_open=True, paused_at=None)
    return at_work.filter(Exists(given)).select_related("project", "user").order_by("project", "pk")


def recent(
    membership: Membership, *, after: datetime | None = None, without: Collection[int] = ()
) -> Recent:
    """Return the last RECENT judgments of a person, after the given time if there is one.

    Excluded labels, and labels of the people in `without` (primary keys), do not count as others'
    labels. Makes two database queries, whatever the size of the project.
    """
    own = Judgment.objects.of_member(membership).answered()
    if after is not None:
        own = own.filter(submitted_at__gt=after)
    rows = own.order_by("-submitted_at", "-pk").values_list(
        "item", "label", "seconds", "item__gold_label"
    )[:RECENT]
    given = list(reversed(rows))
    threshold = membership.project.paraphrase_from
    labels, seconds = _others(membership, [pair for pair, *_ in given], without)
    answers = [
        Answer(
            label=int(label >= threshold),
            seconds=time,
            others=tuple(int(other >= threshold) for other in labels.get(pair, ())),
            known=None if known is None else int(known >= threshold),
        )
        for pair, label, time, known in given
        if label is not None
    ]
    return Recent(answers, median(seconds) if seconds else None)


def _others(
    membership: Membership, pairs: list[int], without: Collection[int]
) -> tuple[dict[int, list[int]], list[float]]:
    """Return other people's counting labels by pair, and their times in seconds."""
    rows = Judgment.objects.filter(item__in=pairs, submitted_at__isnull=False, excluded_by=None)
    rows = rows.exclude(annotator__in={membership.user_id, *without})
    labels: defaultdict[int, list[int]] = defaultdict(list)
    seconds = []
    for pair, label, time in rows.values_list("item", "label", "seconds"):
        if label is not None:
            labels[pair].append(label)
        if time is not None:
            seconds.append(time)
    return labels, seconds
