"""Priorities of items: a change moves their keys to another band of the queue."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, F, Min, QuerySet, Value

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Correction, Judgment, Project, SentencePair
from annotation.work import queue_keys
from annotation.work.services import queue

LEVELS = (-1, 0, 1)
AT_ONCE = 2000


@transaction.atomic
def of_pairs(
    project: Project, public_ids: Collection[uuid.UUID], level: int, *, by: User | None = None
) -> int:
    """Set the priority of pairs: 1 before all others, 0 normal, -1 after all others.

    People who are already past a pair get it next, and skip nothing ahead of them. Returns the
    number of changed pairs. Raises ValueError for an unknown level.
    """
    pairs, lowest, changed = SentencePair.objects.filter(project=project), [], 0
    for keys in _wanted(pairs, public_ids, level):
        # Same lock order as a turn, to avoid deadlocks.
        slots = Judgment.objects.filter(pair__in=keys).order_by("pair", "slot")
        list(slots.select_for_update().values_list("pk"))
        locked = pairs.filter(pk__in=keys).order_by("pk").select_for_update(no_key=True)
        for before, some in _by_level(locked.values_list("pk", "priority")).items():
            queued = Judgment.objects.filter(pair__in=some, label=None, queue_key__isnull=False)
            lowest += _shifted(queued, before, level)
        changed += pairs.filter(pk__in=keys).exclude(priority=level).update(priority=level)
    queue.call_back(project, queue.JUDGMENT_PLACE, lowest)
    _record(project, by, level, "pairs", changed)
    return changed


@transaction.atomic
def of_corrections(
    project: Project, public_ids: Collection[uuid.UUID], level: int, *, by: User | None = None
) -> int:
    """Set the priority of candidates that wait for correction; otherwise like `of_pairs`."""
    corrections, lowest, changed = Correction.objects.filter(project=project), [], 0
    for keys in _wanted(corrections, public_ids, level):
        locked = corrections.filter(pk__in=keys).order_by("pk").select_for_update()
        for before, some in _by_level(locked.values_list("pk", "priority")).items():
            queued = corrections.filter(pk__in=some, action=None, queue_key__isnull=False)
            lowest += _shifted(queued, before, level)
        changed += corrections.filter(pk__in=keys).exclude(priority=level).update(priority=level)
    queue.call_back(project, queue.CORRECTION_PLACE, lowest)
    _record(project, by, level, "corrections", changed)
    return changed


def _record(project: Project, by: User | None, level: int, kind: str, changed: int) -> None:
    if changed:
        what: dict[str, Any] = {"level": level, kind: changed}
        audit.record(Act.PRIORITY_GIVEN, by=by, on=project, **what)


def _wanted(
    rows: QuerySet[SentencePair] | QuerySet[Correction],
    public_ids: Collection[uuid.UUID],
    level: int,
) -> Iterator[list[int]]:
    """Keys of the rows to change, sorted, in chunks of AT_ONCE."""
    if level not in LEVELS:
        raise ValueError(f"no such priority: {level}")
    asked, keys = list(public_ids), list[int]()
    for first in range(0, len(asked), AT_ONCE):
        some = rows.filter(public_id__in=asked[first : first + AT_ONCE])
        keys += some.exclude(priority=level).values_list("pk", flat=True)
    keys.sort()
    for first in range(0, len(keys), AT_ONCE):
        yield keys[first : first + AT_ONCE]


def _by_level(rows: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    levels = defaultdict(list)
    for key, level in rows:
        levels[level].append(key)
    return levels


def _shifted(
    queued: QuerySet[Judgment] | QuerySet[Correction], before: int, after: int
) -> list[int]:
    """Move keys from one band to another. Returns the lowest new key, if any."""
    # Postgres would bind a plain integer in 4 bytes, and the shift would be lost.
    shift = Value(queue_keys.shift(before, after), output_field=BigIntegerField())
    queued.update(queue_key=F("queue_key") + shift)
    lowest = queued.aggregate(lowest=Min("queue_key"))["lowest"]
    return [] if lowest is None else [lowest]
