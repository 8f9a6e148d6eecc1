"""Answers of every kind: claim an item, submit an answer, undo it.

`turn` does what a work page needs: it stores an answer and claims the next item.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from annotation.errors import AlreadyAnswered, AnnotationError, Complete, Finished, NotHeld
from annotation.models import Duty, Item, Participant, Skip, Slot
from annotation.work import gold, one_person, queue, skips, tries
from annotation.work.contract import Kind, Tally, Turn
from annotation.work.kinds import KINDS

EMPTY: dict[str, Any] = {
    "label": None,
    "action": "",
    "text": "",
    "words": None,
    "words_kept": None,
    "highlighted": None,
    "seconds": None,
    "submitted_at": None,
    "serial": None,
}

# A reason belongs to the label that it was given for.
WITHOUT_REASON: dict[str, Any] = {"text": "", "words": None}


def turn(duty: Duty, answer: Mapping[str, Any] | None = None) -> Turn:
    """Store an answer, if given, and return the item that the person gets next.

    `answer` is the cleaned data of the kind's form: `item`, `seconds` and the answer itself.
    """
    kind = KINDS[duty.kind]
    fast = kind.turn(duty, answer)
    if fast is None:
        return _plain_turn(kind, duty, answer)
    # The fast way leaves skipped gold items to the plain one.
    if fast.shown is None and gold.recusals_coming_back(duty).exists():
        return replace(_plain_turn(kind, duty, None), saved=fast.saved, refusal=fast.refusal)
    return fast


@tries.repeated
def claim(duty: Duty) -> Slot | None:
    """Return the slot that the person has in progress, or claim the next; None if none is left."""
    kind = KINDS[duty.kind]
    if not duty.is_given_work or duty.left == 0:
        return None
    if kind.bars_accounts:
        one_person.hold_accounts(duty.membership.user)
    person = one_person.hold_person(duty.membership.user)
    if slot := queue.renewed_slot(duty, *kind.reads) or gold.take_due(duty, person):
        return slot
    barred = kind.barred_items(duty.membership)
    slot = queue.take_next(duty, person, *kind.reads, barred=barred)
    return slot or gold.take_skipped(duty, person)


@tries.repeated
def submit(duty: Duty, /, *, item: uuid.UUID, seconds: float | None = None, **answer: Any) -> Slot:
    """Store an answer and what follows from it.

    Submitting the same answer twice stores it once and returns the same result. Raises NotHeld,
    AlreadyAnswered, or Refused for an answer that is invalid.
    """
    kind = KINDS[duty.kind]
    one_person.hold_person(duty.membership.user)
    items = Item.objects.filter(public_id=item, project=duty.membership.project_id, kind=duty.kind)
    asked_item = next(iter(items), None)  # one at most, so they need no order
    slot, others = _lock_slots(kind, asked_item, duty) if asked_item else (None, [])
    if asked_item is None or slot is None:
        raise NotHeld
    slot.project = duty.membership.project  # as read for this turn
    columns = kind.columns(slot, {**answer, "item": item})
    if slot.submitted_at is not None:
        if any(getattr(slot, name) != columns[name] for name in columns if name != "highlighted"):
            raise AlreadyAnswered
        return slot
    now = timezone.now()
    columns |= {
        "seconds": _limit_seconds(slot, seconds, now),
        "submitted_at": now,
        "lease_until": None,
        "serial": duty.total + 1,
    }
    _write(slot, columns)
    # Before anything else changes the others.
    queue.enter_next(asked_item, others, now=now, by=duty)
    kind.follow(slot, others)
    return slot


def undo(duty: Duty, *, at: uuid.UUID | None = None) -> Slot | None:
    """Undo the person's last answer or skip and return its slot, in progress again.

    The item in progress returns to the queue; `at` is the one that the person sees, if given.
    Returns None if there is nothing to undo, others have built on it, the answer or its pair is
    excluded, it is superseded, or the person is not given work. Raises NotHeld if the person is at
    another item, and Finished for an answer with which a participant has finished.
    """
    try:
        return _undo(duty, at)
    except (_Final, Complete, IntegrityError):
        duty.refresh_from_db()
        return None


@tries.repeated
def change(duty: Duty, /, *, item: uuid.UUID, seconds: float | None = None, **answer: Any) -> Slot:
    """Replace one of the person's last answers, and what followed from it.

    What they have in progress stays. The time on the item is added to that before. The same answer
    changes nothing. Raises Complete, Finished, or Refused for an answer that is invalid.
    """
    kind = KINDS[duty.kind]
    slot, others = _lock_answer(kind, duty, item)
    columns = kind.columns(slot, {**answer, "item": item})
    if all(getattr(slot, name) == columns[name] for name in columns if name != "highlighted"):
        return slot
    _withdraw(kind, slot)
    _slot, others = _lock_slots(kind, slot.item, duty)  # without those that are withdrawn
    now, spent = timezone.now(), slot.seconds
    if seconds is not None:
        spent = _limit_seconds(slot, (spent or 0) + seconds, now)
    _write(slot, WITHOUT_REASON | columns | {"seconds": spent, "submitted_at": now})
    kind.follow(slot, others)
    return slot


@tries.repeated
def changeable_answer(duty: Duty, item: uuid.UUID) -> Slot:
    """Return one of the person's last answers that can be changed. Raises Complete or Finished."""
    kind = KINDS[duty.kind]
    slot, _others = _lock_answer(kind, duty, item)
    _withdraw(kind, slot)
    transaction.set_rollback(True)
    return slot


class _Final(Exception):
    """The last answer or skip can no longer be undone."""


def _plain_turn(kind: Kind, duty: Duty, answer: Mapping[str, Any] | None) -> Turn:
    saved, refusal = "", None
    if answer is not None:
        try:
            saved = str(kind.outcome_of(submit(duty, **answer), answer))
        except AnnotationError as error:
            refusal = error
    slot = claim(duty)
    shown = kind.shown_item(slot.item) if slot else None
    return Turn(shown, Tally.of_duty(duty), saved, refusal)


@tries.repeated
def _undo(duty: Duty, at: uuid.UUID | None) -> Slot:
    """Raises _Final, and IntegrityError if another tab of the person was faster."""
    kind = KINDS[duty.kind]
    finished_at = _finished_at(duty)
    total_before, held = duty.total, queue.held_slot(duty)
    if at is not None and (held is None or held.item.public_id != at):
        raise NotHeld
    person, last = one_person.hold_person(duty.membership.user), _last_step(kind, duty)
    if finished_at and isinstance(last, Slot) and (last.submitted_at or finished_at) <= finished_at:
        raise Finished
    _lock(duty, last.item, held)
    if queue.held_slot(duty) != held:
        raise IntegrityError("another tab has another item in progress")
    queue.release(duty, answers=total_before)
    if isinstance(last, Skip):
        slot = skips.take_back(duty, person, last, barred=kind.barred_items(duty.membership))
        if slot is None:
            raise _Final
    else:
        slot = _reopen(kind, last, duty)
    # From here on, other tabs of the person cannot claim anything: what they have answered before
    # would be numbered after an answer that is missing.
    if duty.total > total_before - isinstance(last, Slot):
        raise IntegrityError("another tab has answered an item")
    return slot


def _finished_at(duty: Duty) -> datetime | None:
    """When a participant last finished. Of an undo and a finish, the second waits for the first."""
    person = Participant.objects.filter(membership=duty.membership_id).select_for_update()
    return person.values_list("finished_at", flat=True).first()


def _last_step(kind: Kind, duty: Duty) -> Slot | Skip:
    """The person's last answer, or their skip if that was later. Raises _Final."""
    if not duty.is_given_work:
        raise _Final
    last: Slot | None = duty.answers.select_related("item", *kind.reads).first()
    skip = skips.last_of(duty)
    if skip and not (last and last.submitted_at and last.submitted_at > skip.created_at):
        return skip
    if last is None:
        raise _Final
    return last


def _lock(duty: Duty, item: Item, held: Slot | None) -> None:
    """Lock the slots of an item and the one in progress, in the order in which all lock slots.

    Of two crossing undos, the second then waits for the first.
    """
    KINDS[duty.kind].lock(item)
    is_own = Q() if item.gold_label is None else Q(annotator=duty.membership.user_id)
    slots = Slot.objects.filter(Q(is_own, item=item) | Q(pk=held and held.pk))
    list(slots.order_by("item", "number").select_for_update(of=("self",)).values_list("pk"))


def _lock_slots(kind: Kind, item: Item, duty: Duty) -> tuple[Slot | None, Sequence[Slot]]:
    """The person's slot of an item and the other slots, locked in order of number.

    A gold item has an independent slot for each person, so only theirs is locked.
    """
    kind.lock(item)
    slots = item.slots.order_by("number")
    # An item that several people decide has many slots, and its texts decide nothing.
    if not kind.has_consensus:
        slots = slots.select_related("item", *kind.reads)
    if item.gold_label is not None:
        slots = slots.filter(annotator=duty.membership.user_id)
    locked = list(slots.select_for_update(of=("self",)))
    own_slot = next((slot for slot in locked if slot.annotator_id == duty.membership.user_id), None)
    return own_slot, [slot for slot in locked if slot is not own_slot]


def _reopen(kind: Kind, last: Slot, duty: Duty) -> Slot:
    """Clear an answer and what followed from it. Raises Complete."""
    slot, _others = _lock_slots(kind, last.item, duty)
    if slot is not None:
        slot.project = duty.membership.project
    _withdraw(kind, slot)
    _write(last, EMPTY | {"lease_until": queue.lease_end(duty)})
    return last


def _withdraw(kind: Kind, slot: Slot | None) -> None:
    """Undo what followed from an answer, with the slots of its item locked. Raises Complete."""
    if (
        slot is None
        or slot.submitted_at is None
        or slot.excluded_by_id is not None
        or slot.superseded_by_id is not None
        # Read again: a manager may have excluded the pair while its slots were waited for.
        or Item.objects.filter(pk=slot.item_id, excluded_by__isnull=False).exists()
        or not kind.withdraw(slot)
    ):
        raise Complete(str(kind.complete))


def _lock_answer(kind: Kind, duty: Duty, item: uuid.UUID) -> tuple[Slot, Sequence[Slot]]:
    """Lock the slots of an item; return that of one of the person's last answers, and the others.

    Raises Complete if there is no such answer, and Finished.
    """
    finished_at = _finished_at(duty)
    one_person.hold_person(duty.membership.user)
    answers = {slot.item.public_id: slot for slot in duty.last_answers.select_related("item")}
    slot, others = _lock_slots(kind, answers[item].item, duty) if item in answers else (None, [])
    if slot is None or slot.submitted_at is None or not duty.is_given_work:
        raise Complete(str(kind.complete))
    if finished_at and slot.submitted_at <= finished_at:
        raise Finished
    slot.project = duty.membership.project  # as read for this turn
    return slot, others


def _limit_seconds(slot: Slot, seconds: float | None, now: datetime) -> float | None:
    """The time that a page measured; clients may send anything, so at most since the claim."""
    if seconds is None or slot.claimed_at is None:
        return seconds
    return max(0.0, min(seconds, (now - slot.claimed_at).total_seconds()))


def _write(slot: Slot, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(slot, name, value)
    slot.save(update_fields=columns)
