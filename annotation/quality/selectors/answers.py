"""Answers to review: a person's latest ones with those of others, and those to gold pairs."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from django.db.models import (
    BooleanField,
    Count,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
)
from django.db.models.lookups import Exact

from annotation.models import Judgment, Membership, Project, SentencePair
from annotation.projects.labels import outcome_of
from annotation.quality.selectors import interventions
from annotation.stats.quality import Answer

RECENT = 200
# Minimum number of answers from unflagged people to judge a gold pair itself.
ENOUGH = 3


@dataclass(frozen=True, slots=True)
class Recent:
    """A person's latest answers, oldest first, and other people's median time on those pairs."""

    answers: list[Answer]
    usual_seconds: float | None


def judging_members(*, since: datetime | None = None) -> QuerySet[Membership]:
    """Return unpaused members of open projects who have judged, ordered by project.

    With `since`, only members who have judged after that time.
    """
    judgments = Judgment.objects.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), submitted_at__isnull=False
    )
    if since is not None:
        judgments = judgments.filter(submitted_at__gt=since)
    at_work = Membership.objects.filter(project__is_open=True, paused_at=None)
    members = at_work.filter(Exists(judgments)).order_by("project", "pk")
    return members.select_related("project", "user")


def recent_answers(
    membership: Membership, *, after: datetime | None = None, without: Collection[int] = ()
) -> Recent:
    """Return the last RECENT judgments of a person, after the given time if there is one.

    Excluded labels, and labels of the people in `without` (primary keys), do not count as others'
    labels. Makes two database queries, whatever the size of the project.
    """
    judgments = Judgment.objects.of_member(membership).answered()
    if after is not None:
        judgments = judgments.filter(submitted_at__gt=after)
    # If the page measured no time, use the time since the claim, which no answer can exceed.
    since_claim = ExpressionWrapper(F("submitted_at") - F("claimed_at"), DurationField())
    rows = judgments.order_by("-submitted_at", "-pk").values_list(
        "item", "label", "seconds", since_claim, "item__gold_label"
    )[:RECENT]
    oldest_first = list(reversed(rows))
    outcome = membership.project.scheme.outcome
    labels, seconds = _labels_of_others(membership, [pair for pair, *_ in oldest_first], without)
    answers = [
        Answer(
            label=outcome(label),
            seconds=most.total_seconds() if time is None and most else time,
            others=tuple(map(outcome, labels.get(pair, ()))),
            known=None if gold_label is None else outcome(gold_label),
        )
        for pair, label, time, most, gold_label in oldest_first
        if label is not None
    ]
    return Recent(answers, median(seconds) if seconds else None)


def gold_pairs(project: Project) -> list[Any]:
    """Return all gold pairs, those that unflagged people miss most often first.

    `given` and `right` count all answers; `given_unflagged` and `right_unflagged` count the
    counting answers of people without an active flag. `is_suspect` tells that most of these miss
    the pair: its known answer may be wrong.
    """
    flagged = interventions.flagged_people(interventions.of_project(project).values())
    scheme = project.scheme
    answered = Q(slots__label__isnull=False)
    trusted = answered & Q(slots__excluded_by=None) & ~Q(slots__annotator__in=flagged)
    is_right = Exact(outcome_of("slots__label", scheme), outcome_of("gold_label", scheme))
    right = Q(answered, is_right)
    missed = Q(given_unflagged__gte=ENOUGH, given_unflagged__gt=2 * F("right_unflagged"))
    pairs = SentencePair.objects.filter(project=project, gold_label__isnull=False)
    with_counts = pairs.select_related("sentence1__corpus", "sentence2").annotate(
        given=Count("slots", filter=answered),
        right=Count("slots", filter=right),
        given_unflagged=Count("slots", filter=trusted),
        right_unflagged=Count("slots", filter=trusted & right),
        is_suspect=ExpressionWrapper(missed, output_field=BooleanField()),
    )
    return sorted(with_counts.order_by("pk"), key=_right_share)


def _right_share(pair: Any) -> float:
    return pair.right_unflagged / pair.given_unflagged if pair.given_unflagged else 1.0


def _labels_of_others(
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
