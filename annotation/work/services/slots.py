"""Claims and releases slots of a queue, with a lease and a compare-and-set update."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar

from django.db import IntegrityError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from annotation.models import Membership
from annotation.models.slots import Slot

SlotT = TypeVar("SlotT", bound=Slot)
# A try fails when another process, or another tab of the same person, took the slot.
CLAIM_TRIES = 20


def claim(
    membership: Membership,
    *,
    unanswered: QuerySet[SlotT],
    eligible: Callable[[QuerySet[SlotT]], QuerySet[SlotT]],
    place_field: str,
) -> SlotT | None:
    """Return the slot that the person has in progress, or else claim the next free one.

    `unanswered` are the open slots of the project. `eligible` excludes those that this person may
    not have. `place_field` names the column of Membership that stores their place in the queue, so
    that a claim does not read past all their earlier slots again. Returns None if no slot is left.
    """
    for _ in range(CLAIM_TRIES):
        try:
            with transaction.atomic():
                held = _held(membership, unanswered)
                return held or _take_next(membership, unanswered, eligible, place_field)
        except IntegrityError:
            continue  # a constraint stopped a race
    return None


def release(
    membership: Membership, unanswered: QuerySet[SlotT], place_field: str, **cleared: None
) -> None:
    """Return the person's slot to the queue, and move their place back so that it comes next.

    `cleared` names further columns to reset. `claimed_at` is kept: it marks the slot as returned. A
    slot that has been set aside meanwhile is in no queue.
    """
    for slot in unanswered.filter(annotator=membership.user_id):
        unanswered.filter(pk=slot.pk).update(annotator=None, lease_until=None, **cleared)
        key = slot.queue_key
        if key is not None and getattr(membership, place_field) >= key:
            _move(membership, place_field, key - 1)


def lease_end(membership: Membership, now: datetime) -> datetime:
    """Return the time at which the lease of an item opened at `now` ends."""
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
    """Search from the person's place to the end, then the returned slots behind it."""
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
    """Claim the slot if it is still free. Raises IntegrityError if it is not."""
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
