"""Studies that are judged in one stroke: for tests that need many rows, or rows at given times."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Consensus, Membership, Project, SentencePair, Slot
from annotation.models.triggers import TRIGGERS
from annotation.projects import protocols
from annotation.stats.consensus import decide
from tests.annotation import make


def people(project: Project, number: int) -> list[Membership]:
    """New annotators."""
    return [make.person(project) for _ in range(number)]


FILLED = (
    *("annotator", "person", "label", "seconds"),
    *("submitted_at", "claimed_at", "queue_key", "serial"),
)


def give(
    pair: SentencePair, labels: Sequence[int], *, by: Sequence[Membership], at: datetime
) -> None:
    """Fill the first slots of a pair, a minute apart, and decide it with the last one."""
    _give_all([pair], [labels], by=[by], at=at)


def all_that_is_open(project: Project, labels: Sequence[int]) -> list[Membership]:
    """New people, each with their own label for every pair without a judgment."""
    by = people(project, len(labels))
    waiting = list(project.pairs.filter(consensus=None, gold_label=None).order_by("pk"))
    at = timezone.now() - timedelta(minutes=30)
    _give_all(waiting, [labels] * len(waiting), by=[by] * len(waiting), at=at)
    return by


def decide_otherwise(stored: QuerySet[Consensus], **verdict: Any) -> None:
    """Store another consensus for pairs than their answers give: deleted and created again."""
    rows = list(stored)
    Consensus.objects.filter(pk__in=[row.pk for row in rows]).delete()
    for row in rows:
        Consensus.objects.create(
            pair=row.pair, **{"tally": row.tally, "label": row.label, "kept": row.kept} | verdict
        )
        Consensus.objects.filter(pk=row.pk).update(decided_at=row.decided_at)


def behind_the_back(sql: str) -> None:
    """What a person with every permission can do."""
    with without_triggers() as cursor:
        cursor.execute(sql)


@contextmanager
def without_triggers() -> Iterator[Any]:
    """Yield a cursor; on SQLite, triggers are gone until the test is rolled back."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = replica")
        else:
            for trigger in TRIGGERS:
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger.name}")
        yield cursor
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL session_replication_role = origin")


def pairs(
    project: Project,
    votes: Sequence[Sequence[int]],
    *,
    by: Sequence[Membership],
    at: datetime | None = None,
) -> list[SentencePair]:
    """A pair for each list of labels, which the first of `by` give."""
    return pairs_of(project, votes, by=[by] * len(votes), at=at)


def pairs_of(
    project: Project,
    votes: Sequence[Sequence[int]],
    *,
    by: Sequence[Sequence[Membership]],
    at: datetime | None = None,
) -> list[SentencePair]:
    """A pair for each list of labels, with the people who give them."""
    known = set(project.pairs.values_list("pk", flat=True))
    make.pairs(project, len(votes))
    made = list(project.pairs.exclude(pk__in=known).order_by("pk"))
    _give_all(made, votes, by=by, at=at or timezone.now() - timedelta(minutes=30))
    return made


def _give_all(
    pairs: Sequence[SentencePair],
    votes: Sequence[Sequence[int]],
    *,
    by: Sequence[Sequence[Membership]],
    at: datetime,
) -> None:
    slots: dict[int, list[Slot]] = {pair.pk: [] for pair in pairs}
    for slot in Slot.objects.filter(item__in=pairs).order_by("number"):
        slots[slot.item_id].append(slot)
    filled = [
        _filled(slot, label, member, at + timedelta(minutes=number))
        for pair, labels, people in zip(pairs, votes, by, strict=True)
        for number, (slot, label, member) in enumerate(
            zip(slots[pair.pk], labels, people, strict=False)
        )
    ]
    Slot.objects.bulk_create(
        filled, update_conflicts=True, unique_fields=["id"], update_fields=FILLED
    )
    for number in {len(labels) for labels in votes}:
        full = [
            _decided(pair, labels)
            for pair, labels in zip(pairs, votes, strict=True)
            if len(labels) == number == pair.slot_count
        ]
        Consensus.objects.bulk_create(full)
        decided_at = at + timedelta(minutes=number - 1)
        Consensus.objects.filter(pair__in=[each.pair for each in full]).update(
            decided_at=decided_at
        )


def _filled(slot: Slot, label: int, member: Membership, at: datetime) -> Slot:
    slot.annotator, slot.person_id = member.user, member.user.person_key
    slot.label, slot.submitted_at, slot.claimed_at = label, at, at
    slot.seconds, slot.queue_key, slot.serial = 9.0 + slot.number, None, slot.item_id
    return slot


def _decided(pair: SentencePair, labels: Sequence[int]) -> Consensus:
    decision = decide(labels, protocols.of_project(pair.project))
    return Consensus(
        pair=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
