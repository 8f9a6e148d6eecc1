"""Managers change the order of the queue: priorities, and items that were set aside."""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from django.db import transaction
from django.db.models import BigIntegerField, F, Min, Value

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Item, Project, Slot
from annotation.work import keys, queue

LEVELS = (-1, 0, 1)
AT_ONCE = 2000


@transaction.atomic
def prioritize(
    project: Project, public_ids: Collection[uuid.UUID], level: int, *, by: User | None = None
) -> int:
    """Set the priority of items: 1 before all others, 0 normal, -1 after all others.

    People who are already past an item get it next, and skip nothing ahead of them. Returns the
    number of changed items. Raises ValueError for an unknown level.
    """
    if level not in LEVELS:
        raise ValueError(f"no such priority: {level}")
    lowest, changed = defaultdict[str, list[int | None]](list), 0
    for chunk in _chunks(project, public_ids, level):
        _lock_slots(chunk)
        locked = Item.objects.filter(pk__in=chunk).order_by("pk").select_for_update(no_key=True)
        groups = defaultdict[tuple[str, int], list[int]](list)
        for item in locked:
            groups[item.kind, item.priority].append(item.pk)
        for (kind, before), same_band in groups.items():
            lowest[kind].append(_shift_keys(same_band, before, level))
        changed += Item.objects.filter(pk__in=chunk).exclude(priority=level).update(priority=level)
    for kind, queue_keys in lowest.items():
        queue.call_back(project, kind, queue_keys)
    if changed:
        audit.record(Act.PRIORITY_GIVEN, by=by, on=project, level=level, items=changed)
    return changed


@transaction.atomic
def put_back(project: Project, public_ids: Collection[uuid.UUID], *, by: User | None = None) -> int:
    """Return items that were set aside to the queue. Returns how many there were.

    Writes one audit record for each; managers return one item or one page of them.
    """
    set_aside = Item.objects.filter(
        project=project, public_id__in=public_ids, set_aside_at__isnull=False
    )
    _lock_slots(list(set_aside.values_list("pk", flat=True)))
    items = list(set_aside.order_by("pk").select_for_update(no_key=True))
    Item.objects.filter(pk__in=[item.pk for item in items]).update(set_aside_at=None)
    for item in items:
        item.set_aside_at = None
    queue.enter(project, items)
    for item in items:
        audit.record(Act.PUT_BACK, by=by, on=item, project=project)
    return len(items)


def _lock_slots(items: Sequence[int]) -> None:
    """Lock slots before items, as an answer does, to avoid deadlocks."""
    slots = Slot.objects.filter(item__in=items).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))


def _chunks(project: Project, public_ids: Collection[uuid.UUID], level: int) -> Iterator[list[int]]:
    """Keys of the items to change, sorted, in chunks of AT_ONCE."""
    ids, item_keys = list(public_ids), list[int]()
    for first in range(0, len(ids), AT_ONCE):
        items = Item.objects.filter(project=project, public_id__in=ids[first : first + AT_ONCE])
        item_keys += items.exclude(priority=level).values_list("pk", flat=True)
    item_keys.sort()
    for first in range(0, len(item_keys), AT_ONCE):
        yield item_keys[first : first + AT_ONCE]


def _shift_keys(items: Sequence[int], before: int, after: int) -> int | None:
    """Move keys from one band to another. Returns the lowest new key, if any."""
    slots = Slot.objects.unanswered().filter(item__in=items, queue_key__isnull=False)
    # Postgres would bind a plain integer in 4 bytes, and the shift would be lost.
    shift = Value(keys.shift(before, after), output_field=BigIntegerField())
    slots.update(queue_key=F("queue_key") + shift)
    lowest: int | None = slots.aggregate(lowest=Min("queue_key"))["lowest"]
    return lowest
