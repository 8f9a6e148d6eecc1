"""Answers of every kind: claim an item, submit an answer, undo it.

`turn` does what a work page needs: it stores an answer and claims the next item.
"""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.errors import AlreadyAnswered, AnnotationError, NotHeld
from annotation.models import Duty, Item, Slot
from annotation.work import gold, queue
from annotation.work.contract import Kind, Tally, Turn
from annotation.work.kinds import KINDS

EMPTY: dict[str, Any] = {
    "label": None,
    "action": "",
    "text": "",
    "highlighted": None,
    "seconds": None,
    "submitted_at": None,
    "serial": None,
}


def turn(duty: Duty, answer: Mapping[str, Any] | None = None) -> Turn:
    """Store an answer, if given, and return the item that the person gets next.

    `answer` is the cleaned data of the kind's form: `item`, `seconds` and the answer itself.
    """
    kind = KINDS[duty.kind]
    return kind.turn(duty, answer) or _plain_turn(kind, duty, answer)


def claim(duty: Duty) -> Slot | None:
    """Return the slot that the person has in progress, or claim the next; None if none is left."""
    kind = KINDS[duty.kind]
    for attempt in queue.retrying():
        try:
            with attempt:
                return _claim(kind, duty)
        except IntegrityError:
            duty.refresh_from_db()  # a constraint stopped a race
    return None


@transaction.atomic
def submit(duty: Duty, *, item: uuid.UUID, seconds: float | None = None, **answer: Any) -> Slot:
    """Store an answer and what follows from it.

    Submitting the same answer twice stores it once and returns the same result. Raises NotHeld,
    AlreadyAnswered, or Refused for an answer that is invalid.
    """
    kind = KINDS[duty.kind]
    queue.hold_person(duty.membership.user)
    asked = Item.objects.filter(
        public_id=item, project=duty.membership.project_id, kind=duty.kind
    ).first()
    mine, others = _locked(kind, asked, duty) if asked else (None, [])
    if asked is None or mine is None:
        raise NotHeld
    columns = kind.columns(mine, answer)
    if mine.submitted_at is not None:
        if any(getattr(mine, name) != columns[name] for name in columns if name != "highlighted"):
            raise AlreadyAnswered
        return mine
    columns |= {
        "seconds": seconds,
        "submitted_at": timezone.now(),
        "lease_until": None,
        "serial": duty.total + 1,
    }
    _write(mine, columns)
    kind.follow(mine, others)
    if asked.slot_count > 1:
        project = duty.membership.project
        queue.enter_next(asked, project=project, now=timezone.now(), by=duty)
    return mine


def undo(duty: Duty) -> Slot | None:
    """Undo the person's last answer and return its slot, claimed again.

    The item in progress returns to the queue. Returns None if there is no answer, others have built
    on it, it is excluded or superseded, or the person is not given work.
    """
    kind = KINDS[duty.kind]
    last: Slot | None = duty.answers.select_related("item", *kind.reads).first()
    if last is None or not duty.is_given_work:
        return None
    try:
        with transaction.atomic():
            # Before the other item is locked, so that two crossing undos cannot block each other.
            queue.release(duty, answers=duty.total)
            _reopen(kind, last, duty)
    except _Final:
        duty.refresh_from_db()
        return None
    return last


class _Final(Exception):
    """The answer can no longer be undone."""


def _plain_turn(kind: Kind, duty: Duty, answer: Mapping[str, Any] | None) -> Turn:
    saved, refusal = "", None
    if answer is not None:
        try:
            saved = str(kind.outcome_of(submit(duty, **answer), answer))
        except AnnotationError as error:
            refusal = error
    slot = claim(duty)
    shown = kind.shown(slot.item) if slot else None
    return Turn(shown, Tally.of(duty), saved, refusal)


def _claim(kind: Kind, duty: Duty) -> Slot | None:
    if not duty.is_given_work or duty.left == 0:
        return None
    queue.hold_person(duty.membership.user)
    slot = queue.in_progress(duty)
    if slot is None:
        slot = gold.take_due(duty, duty.total)
    if slot is None:
        slot = queue.take_next(duty, barred=kind.barred(duty.membership))
    return slot and Slot.objects.select_related("item", *kind.reads).get(pk=slot.pk)


def _locked(kind: Kind, item: Item, duty: Duty) -> tuple[Slot | None, Sequence[Slot]]:
    """The person's slot of an item and the other slots, locked in order of number.

    A gold item has an independent slot for each person, so only theirs is locked.
    """
    slots = item.slots.select_related("item", *kind.reads).order_by("number")
    if item.gold_label is not None:
        slots = slots.filter(annotator=duty.membership.user_id)
    found = list(slots.select_for_update(of=("self",)))
    mine = next((slot for slot in found if slot.annotator_id == duty.membership.user_id), None)
    return mine, [slot for slot in found if slot is not mine]


def _reopen(kind: Kind, last: Slot, duty: Duty) -> None:
    """Clear an answer and what followed from it. Raises _Final."""
    mine, _others = _locked(kind, last.item, duty)
    if mine is None or mine.submitted_at is None:
        raise _Final
    if mine.excluded_by_id is not None or mine.superseded_by_id is not None:
        raise _Final
    if not kind.withdraw(mine):
        raise _Final
    _write(last, EMPTY | {"lease_until": queue.lease_end(duty)})


def _write(slot: Slot, columns: Mapping[str, Any]) -> None:
    for name, value in columns.items():
        setattr(slot, name, value)
    slot.save(update_fields=columns)
