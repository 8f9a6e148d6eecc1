"""The queue of every kind of work: slots enter, are claimed with a lease, and return.

A slot in the queue has a key (keys.py), and a person's duty a place: they get the first free slot
beyond it. A claim reads a bounded number of index entries, whatever the size of the project.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from annotation.models import Duty, Item, Project, Skip, Slot
from annotation.work import keys, one_person

Slots = QuerySet[Slot]

OPEN_ON_POSTGRES = """
INSERT INTO annotation_slot (project_id, kind, item_id, number, queue_key, reserved, action, text)
SELECT %s, %s, item, number, CASE WHEN number <= %s THEN key + number - 1 END, false, '', ''
FROM (
    SELECT item, key, generate_series(1, %s) AS number
    FROM unnest(%s::bigint[], %s::bigint[]) AS new (item, key)
) slots"""
OPEN_ON_SQLITE = """
WITH RECURSIVE slots (number) AS (
    SELECT 1 UNION ALL SELECT number + 1 FROM slots WHERE number < %s
)
INSERT INTO annotation_slot (project_id, kind, item_id, number, queue_key, reserved, action, text)
SELECT %s, %s, CAST(new.key AS INTEGER), number,
    CASE WHEN number <= %s THEN new.value + number - 1 END, false, '', ''
FROM json_each(%s) new CROSS JOIN slots"""


def open_slots(project: Project, kind: str, items: Sequence[int], *, per_item: int = 1) -> None:
    """Create `per_item` slots for each new item, given by key; queue those that enter now.

    Slots are most of the rows of a study, so one statement creates them.
    """
    in_depth, now = project.order == Project.Order.DEPTH, timezone.now()
    first_keys = [
        keys.in_depth(item, 1) if in_depth else keys.in_breadth(now, item, ahead=ahead)
        for ahead, item in enumerate(items)
    ]
    entering = per_item if in_depth else 1
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            values: list[Any] = [project.pk, kind, entering, per_item, list(items), first_keys]
            cursor.execute(OPEN_ON_POSTGRES, values)
        else:
            new = json.dumps(dict(zip(items, first_keys, strict=True)))
            cursor.execute(OPEN_ON_SQLITE, [per_item, project.pk, kind, entering, new])
    call_back(project, kind, first_keys)


def give_keys(
    project: Project, item: Item, unanswered_slots: Sequence[Slot], *, now: datetime, ahead: int = 0
) -> list[Slot]:
    """Set the queue keys of the slots of one item that enter the queue now.

    `unanswered` are its open slots, in order. In depth, each slot without a key gets one; in
    breadth, only the first slot does, unless one has a key, and its answer adds the next. Reserved
    slots all get one: they wait for other people, so no slot waits for them.
    `ahead` is the number of items that enter first at the same time. Returns the slots; the caller
    stores them.
    """
    if project.order == Project.Order.DEPTH:
        entering = [slot for slot in unanswered_slots if slot.queue_key is None]
        for slot in entering:
            slot.queue_key = keys.in_depth(item.pk, slot.number, priority=item.priority)
        return entering
    entering = [slot for slot in unanswered_slots if slot.reserved and slot.queue_key is None]
    ordinary = [slot for slot in unanswered_slots if not slot.reserved]
    if all(slot.queue_key is None for slot in ordinary):
        entering += ordinary[:1]
    for slot in entering:
        slot.queue_key = keys.in_breadth(now, item.pk, ahead=ahead, priority=item.priority)
    return entering


def enter(project: Project, items: Sequence[Item]) -> None:
    """Add the open slots of items to the queue, and move people back who are past them.

    Excluded pairs stay out.
    """
    items = [item for item in items if item.excluded_by_id is None]
    now = timezone.now()
    unanswered_slots: dict[int, list[Slot]] = {item.pk: [] for item in items}
    rows = Slot.objects.unanswered().filter(item__in=unanswered_slots).select_for_update()
    for slot in rows.order_by("item", "number"):
        unanswered_slots[slot.item_id].append(slot)
    entering = [
        slot
        for ahead, item in enumerate(items)
        for slot in give_keys(project, item, unanswered_slots[item.pk], now=now, ahead=ahead)
    ]
    Slot.objects.bulk_update(entering, ["queue_key"], batch_size=500)
    for kind in {item.kind for item in items}:
        call_back(project, kind, [slot.queue_key for slot in entering if slot.kind == kind])


def enter_next(item: Item, others: Sequence[Slot], *, now: datetime, by: Duty) -> None:
    """In breadth, add the next slot of an answered item to the queue, unless one is in it.

    `others` are the other slots of the item, locked, in order of number.
    """
    in_depth = by.membership.project.order == Project.Order.DEPTH
    if in_depth or item.set_aside_at or item.gold_label is not None:
        return
    unanswered_slots = [slot for slot in others if slot.submitted_at is None and not slot.reserved]
    if unanswered_slots and all(slot.queue_key is None for slot in unanswered_slots):
        # The membership separates answers of the same microsecond.
        key = keys.in_breadth(now, by.membership_id, priority=item.priority)
        Slot.objects.filter(pk=unanswered_slots[0].pk).update(queue_key=key)


def ask_one_more(project: Project, item: Item, *, now: datetime) -> None:
    """Open a slot of an item for one more person, after the first slots of all items.

    All slots of the item are answered and locked, so it is neither set aside nor excluded. No one's
    place changes: `claimed_at` marks the slot for people who are past it.
    """
    item = Item.objects.select_for_update(no_key=True).get(pk=item.pk)
    item.slot_count += 1
    item.save(update_fields=["slot_count"])
    if project.order == Project.Order.DEPTH:
        key = keys.in_depth(item.pk, item.slot_count, priority=item.priority) + keys.LATER
    else:
        key = keys.in_breadth(now, item.pk, priority=item.priority)
    Slot.objects.create(
        project=project,
        kind=item.kind,
        item=item,
        number=item.slot_count,
        queue_key=key,
        claimed_at=now,
    )


def ask_no_more(slot: Slot) -> bool:
    """Delete the open slot of an item for one more person; False if a person has it.

    The slots of the item are locked.
    """
    if slot.annotator_id is not None:
        return False
    slot.delete()
    item = Item.objects.filter(pk=slot.item_id, slot_count=slot.number)
    item.update(slot_count=slot.number - 1)
    return True


def call_back(project: Project, kind: str, entered_keys: Sequence[int | None]) -> None:
    """Move everyone who is past the lowest of these keys back to just before it.

    Duties are locked in key order after the slots, as in a claim.
    """
    lowest = min((key for key in entered_keys if key is not None), default=None)
    if lowest is None:
        return
    past_lowest = Duty.objects.filter(membership__project=project, kind=kind, place__gte=lowest)
    locked = list(
        past_lowest.order_by("pk").select_for_update(of=("self",)).values_list("pk", flat=True)
    )
    if locked:
        Duty.objects.filter(pk__in=locked).update(place=lowest - 1)


def unanswered_slots(duty: Duty) -> Slots:
    return Slot.objects.unanswered().filter(project=duty.membership.project_id, kind=duty.kind)


def held_slot(duty: Duty, *related: str) -> Slot | None:
    """Return the slot that the person has in progress, with its item and `related` rows."""
    slots = unanswered_slots(duty).filter(annotator=duty.membership.user_id)
    return slots.select_related("item", *related).first()


def renewed_slot(duty: Duty, *related: str) -> Slot | None:
    """Return the slot that the person has in progress, with a renewed lease."""
    slots = unanswered_slots(duty).filter(annotator=duty.membership.user_id)
    return held_slot(duty, *related) if slots.update(lease_until=lease_end(duty)) else None


def take_next(duty: Duty, person: int, *related: str, barred: Q) -> Slot | None:
    """Claim the next free slot that the person may have; None if there is none.

    Reserved slots come first, for those who take them, and last if they have skipped them. In
    between, the search continues from the person's place; then over slots that were claimed and
    returned, which moves the place to the end; and now and then over everything behind the place.
    `barred` matches slots that the person may not have; `related` names rows that are read with the
    slot and its item. Raises IntegrityError if another process took the slot first.
    """
    now, in_depth = timezone.now(), duty.membership.project.order == Project.Order.DEPTH
    span = keys.KEYS_PER_ITEM - 1 if in_depth else 0
    looks_behind = duty.looked_behind_at is None or duty.looked_behind_at < now - keys.BETWEEN_LOOKS
    free = _free(duty, person, barred=barred, now=now).select_related("item", *related)
    for stretch, moves in _stretches(duty, free, looks_behind=looks_behind):
        slot = stretch.first()
        if slot is None:
            continue
        _take(duty, person, slot, now)
        if moves == "to it" and slot.queue_key is not None:
            # Past all slots of the item, of which the person gets no other.
            _move(duty, slot.queue_key | span)
        elif moves == "end":
            _move(duty, _end(duty, span))
        return slot
    _move(duty, _end(duty, span), looked=now if looks_behind else None)
    return None


def take_again(duty: Duty, person: int, item: Item, *, barred: Q) -> Slot | None:
    """Claim a free slot of an item, whatever the person's place; None if there is none for them."""
    now, reserved = timezone.now(), Q() if duty.takes_reserved else Q(reserved=False)
    slot = _free(duty, person, barred=barred, now=now).filter(reserved, item=item).first()
    if slot:
        _take(duty, person, slot, now)
    return slot


def release(duty: Duty, *, answers: int) -> None:
    """Return the person's slot to the queue, and move their place back so that it comes next.

    `claimed_at` is kept: it marks the slot as returned. The slot of a gold item is deleted, and the
    same item is due again after as many `answers` of the person as now, on which its draw depends.
    """
    slot = held_slot(duty)
    if slot is None:
        return
    if slot.item.gold_label is not None:
        slot.delete()
        duty.gold_after = answers
        Duty.objects.filter(pk=duty.pk).update(gold_after=duty.gold_after)
        return
    give_back(Slot.objects.filter(pk=slot.pk), claimed_at=slot.claimed_at)
    if slot.queue_key is not None and duty.place >= slot.queue_key:
        _move(duty, slot.queue_key - 1)


def give_back(slots: Slots, *, claimed_at: datetime | None = None) -> None:
    """Make slots in progress free; people who are past them find them by `claimed_at`."""
    slots.update(
        annotator=None, person=None, lease_until=None, claimed_at=claimed_at or timezone.now()
    )


def give_back_all(slots: Slots) -> None:
    """Make all those of the slots free that are in progress; delete those of gold items."""
    claimed = slots.filter(submitted_at=None, annotator__isnull=False)
    claimed.filter(item__gold_label__isnull=False).delete()
    give_back(claimed)


def pass_by(duty: Duty, slot: Slot) -> None:
    """Move the person to just past an item that comes back to them: everything else is first.

    That may be back from the end, where they would be given the lowest returned item again.
    """
    in_depth = duty.membership.project.order == Project.Order.DEPTH
    if slot.queue_key is not None and not slot.reserved:
        end = slot.queue_key | (keys.KEYS_PER_ITEM - 1) if in_depth else slot.queue_key
        _move(duty, end)


def remove(item: Item) -> bool:
    """Delete an item with its slots; False if a person has one of them or has skipped it.

    Locks its slots first, in order of number, as an answer does.
    """
    slots = list(item.slots.select_for_update(of=("self",)).order_by("number"))
    if any(slot.annotator_id is not None for slot in slots) or item.skips.exists():
        return False
    item.slots.all().delete()
    item.delete()
    return True


def lease_end(duty: Duty) -> datetime:
    """Return the time at which the lease of an item that is opened now ends."""
    return timezone.now() + timedelta(minutes=duty.membership.project.lease_minutes)


def _free(duty: Duty, person: int, *, barred: Q, now: datetime) -> Slots:
    is_free = Q(annotator=None) | Q(lease_until__lt=now)
    is_new, in_queue = one_person.is_new_to(person), Q(queue_key__isnull=False)
    free = unanswered_slots(duty).filter(is_free, is_new, ~barred, in_queue).order_by("queue_key")
    if connection.features.has_select_for_update_skip_locked:
        free = free.select_for_update(skip_locked=True, of=("self",))
    return free


def _stretches(duty: Duty, free: Slots, *, looks_behind: bool) -> Iterator[tuple[Slots, str]]:
    """The parts of the queue in the order of search, and where a find moves the place."""
    skips = Skip.objects.filter(item=OuterRef("item"), annotator=duty.membership.user_id)
    if duty.takes_reserved:
        yield free.filter(~Exists(skips), reserved=True), "nowhere"
    yield free.filter(reserved=False, queue_key__gt=duty.place), "to it"
    yield free.filter(reserved=False, claimed_at__isnull=False), "end"
    if looks_behind:
        yield free.filter(reserved=False, queue_key__lte=duty.place), "to it"
    if duty.takes_reserved:
        last = skips.order_by("-pk").values("pk")[:1]
        yield free.filter(Exists(skips), reserved=True).order_by(Subquery(last)), "nowhere"


def _take(duty: Duty, person: int, slot: Slot, now: datetime) -> None:
    """Claim a slot if it is still free. Raises IntegrityError if it is not."""
    slot.annotator, slot.claimed_at, slot.lease_until = duty.membership.user, now, lease_end(duty)
    free = unanswered_slots(duty).filter(Q(annotator=None) | Q(lease_until__lt=now), pk=slot.pk)
    is_taken = free.update(
        annotator=slot.annotator,
        person=person,
        lease_until=slot.lease_until,
        claimed_at=now,
    )
    if not is_taken:
        raise IntegrityError("another process claimed the slot first")


def _end(duty: Duty, span: int) -> int:
    """The place past everything that is in the queue now."""
    keyed = unanswered_slots(duty).filter(reserved=False, queue_key__isnull=False)
    last = keyed.order_by("-queue_key").values_list("queue_key", flat=True).first()
    return duty.place if last is None else max(duty.place, last | span)


def _move(duty: Duty, place: int, *, looked: datetime | None = None) -> None:
    looked = looked or duty.looked_behind_at
    if (place, looked) != (duty.place, duty.looked_behind_at):
        duty.place, duty.looked_behind_at = place, looked
        Duty.objects.filter(pk=duty.pk).update(place=place, looked_behind_at=looked)
