"""The queue: how a slot is claimed, held and given back, with one lease and one compare-and-set."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import Membership
from annotation.models.slots import Slot

SlotT = TypeVar("SlotT", bound=Slot)
# Every failed try means that another process took a slot or that this person's other tab did.
CLAIM_TRIES = 20


def claim(
    membership: Membership,
    *,
    unanswered: QuerySet[SlotT],
    eligible: Callable[[QuerySet[SlotT]], QuerySet[SlotT]],
    place_field: str,
) -> SlotT | None:
    """The slot that the person holds already, or else the next free one of the queue, now theirs.

    `unanswered` are the open slots of the project, `eligible` leaves out those that this person
    may not have, and `place_field` names the column of Membership that keeps their place in the
    queue, so that a claim does not walk again past all that they have done. Returns None when
    nothing is left.
    """
    for _ in range(CLAIM_TRIES):
        try:
            with transaction.atomic():
                held = _held(membership, unanswered)
                return held or _take_next(membership, unanswered, eligible, place_field)
        except IntegrityError:
            continue  # a constraint kept a race from becoming a fact; look again
    return None


def release(
    membership: Membership, unanswered: QuerySet[SlotT], place_field: str, **cleared: None
) -> None:
    """Give the slot that the person holds back to the queue, and let them come to it next.

    `cleared` are further columns that belong to its holder. When it was claimed stays: by that it
    is known to have come back. A slot that has been set aside meanwhile is in no queue.
    """
    for slot in unanswered.filter(annotator=membership.user_id):
        unanswered.filter(pk=slot.pk).update(annotator=None, lease_until=None, **cleared)
        key = slot.queue_key
        if key is not None and getattr(membership, place_field) >= key:
            _move(membership, place_field, key - 1)


def lease_end(membership: Membership, now: datetime) -> datetime:
    """When an item that is opened now goes back to the queue."""
    return now + timedelta(minutes=membership.project.lease_minutes)


def _held(membership: Membership, unanswered: QuerySet[SlotT]) -> SlotT | None:
    now = timezone.now()
    held = unanswered.filter(annotator=membership.user_id)
    renewed = held.update(lease_until=lease_end(membership, now))
    return held.get() if renewed else None


def _take_next(
    membership: Membership,
    unanswered: QuerySet[SlotT],
    eligible: Callable[[QuerySet[SlotT]], QuerySet[SlotT]],
    place_field: str,
) -> SlotT | None:
    """Walk on from the person's place; at the end, look at what came back behind it."""
    now = timezone.now()
    place = getattr(membership, place_field)
    free = unanswered.filter(Q(annotator=None) | Q(lease_until__lt=now)).order_by("queue_key")
    if connection.features.has_select_for_update_skip_locked:
        free = free.select_for_update(skip_locked=True, of=("self",))
    for stretch in (Q(queue_key__gt=place), Q(queue_key__lte=place)):
        slot = eligible(free.filter(stretch)).first()
        if slot is not None:
            _take(membership, slot, free, now)
            _move(membership, place_field, max(place, slot.queue_key))
            return slot
    return None


def _take(membership: Membership, slot: SlotT, free: QuerySet[SlotT], now: datetime) -> None:
    """Compare and set: the slot must still be as free as it was when it was found."""
    slot.annotator = membership.user
    slot.lease_until = lease_end(membership, now)
    slot.claimed_at = now
    taken = (
        free.filter(pk=slot.pk)
        .order_by()
        .update(annotator=slot.annotator, lease_until=slot.lease_until, claimed_at=now)
    )
    if not taken:
        raise IntegrityError("another process claimed the slot first")


def _move(membership: Membership, place_field: str, place: int) -> None:
    setattr(membership, place_field, place)
    Membership.objects.filter(pk=membership.pk).update(**{place_field: place})
