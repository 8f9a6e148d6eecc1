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
    for some in _chunks(project, public_ids, level):
        _lock_slots(some)
        locked = Item.objects.filter(pk__in=some).order_by("pk").select_for_update(no_key=True)
        groups = defaultdict[tuple[str, int], list[int]](list)
        for item in locked:
            groups[item.kind, item.priority].append(item.pk)
        for (kind, before), found in groups.items():
            lowest[kind].append(_shift_keys(found, before, level))
        changed += Item.objects.filter(pk__in=some).exclude(priority=level).update(priority=level)
    for kind, entered in lowest.items():
        queue.call_back(project, kind, entered)
    if changed:
        audit.record(Act.PRIORITY_GIVEN, by=by, on=project, level=level, items=changed)
    return changed


@transaction.atomic
def put_back(project: Project, public_ids: Collection[uuid.UUID], *, by: User | None = None) -> int:
    """Return items that were set aside to the queue. Returns how many there were.

    Writes one audit record for each; managers return one item or one page of them.
    """
    aside = Item.objects.filter(
        project=project, public_id__in=public_ids, set_aside_at__isnull=False
    )
    _lock_slots(list(aside.values_list("pk", flat=True)))
    found = list(aside.order_by("pk").select_for_update(no_key=True))
    Item.objects.filter(pk__in=[item.pk for item in found]).update(set_aside_at=None)
    for item in found:
        item.set_aside_at = None
    queue.enter(project, found)
    for item in found:
        audit.record(Act.PUT_BACK, by=by, on=item, project=project)
    return len(found)


def _lock_slots(items: Sequence[int]) -> None:
    """Lock slots before items, as an answer does, to avoid deadlocks."""
    slots = Slot.objects.filter(item__in=items).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))


def _chunks(project: Project, public_ids: Collection[uuid.UUID], level: int) -> Iterator[list[int]]:
    """Keys of the items to change, sorted, in chunks of AT_ONCE."""
    asked, found = list(public_ids), list[int]()
    for first in range(0, len(asked), AT_ONCE):
        some = Item.objects.filter(project=project, public_id__in=asked[first : first + AT_ONCE])
        found += some.exclude(priority=level).values_list("pk", flat=True)
    found.sort()
    for first in range(0, len(found), AT_ONCE):
        yield found[first : first + AT_ONCE]


def _shift_keys(items: Sequence[int], before: int, after: int) -> int | None:
    """Move keys from one band to another. Returns the lowest new key, if any."""
    queued = Slot.objects.unanswered().filter(item__in=items, queue_key__isnull=False)
    # Postgres would bind a plain integer in 4 bytes, and the shift would be lost.
    shift = Value(keys.shift(before, after), output_field=BigIntegerField())
    queued.update(queue_key=F("queue_key") + shift)
    lowest: int | None = queued.aggregate(lowest=Min("queue_key"))["lowest"]
    return lowest
