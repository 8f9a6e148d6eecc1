"""Studies that are judged in one stroke: for tests that need many rows, or rows at given times."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from annotation import protocols
from annotation.models import Consensus, Judgment, Membership, Project, SentencePair
from annotation.stats.consensus import decide
from tests.annotation import cast


def people(project: Project, number: int) -> list[Membership]:
    """So many annotators."""
    return [cast.person(project) for _ in range(number)]


def give(pair: SentencePair, labels: Sequence[int], *, by: Sequence[Membership], at: datetime):
    """Fill the first slots of a pair, a minute apart, and decide it with the last one."""
    slots = list(pair.judgments.order_by("slot")[: len(labels)])
    for number, (slot, label, member) in enumerate(zip(slots, labels, by, strict=True)):
        slot.annotator, slot.label, slot.seconds = member.user, label, 10.0 + number
        slot.submitted_at = slot.claimed_at = at + timedelta(minutes=number)
        slot.queue_key, slot.number = None, pair.pk
    fields = ["annotator", "label", "seconds", "submitted_at", "claimed_at", "queue_key", "number"]
    Judgment.objects.bulk_update(slots, fields)
    if len(labels) == pair.slots:
        _decide(pair, labels, at + timedelta(minutes=len(labels) - 1))


def pairs(
    project: Project,
    votes: Sequence[Sequence[int]],
    *,
    by: Sequence[Membership],
    at: datetime | None = None,
) -> list[SentencePair]:
    """A pair for each list of labels, which the first of `by` give."""
    known = set(project.pairs.values_list("pk", flat=True))
    cast.pairs(project, len(votes))
    made = list(project.pairs.exclude(pk__in=known).order_by("pk"))
    for pair, labels in zip(made, votes, strict=True):
        give(pair, labels, by=by[: len(labels)], at=at or timezone.now() - timedelta(minutes=30))
    return made


def _decide(pair: SentencePair, labels: Sequence[int], at: datetime) -> None:
    decision = decide(labels, protocols.of(pair.project))
    Consensus.objects.create(
        pair=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
    Consensus.objects.filter(pair=pair).update(decided_at=at)
