"""Work that waits for a person, at a cost that does not grow with the project."""

from enum import Enum

from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Duty, Slot
from annotation.work import gold, one_person, queue
from annotation.work.kinds import KINDS

# Pages show "more than 100", so that counting stays cheap.
LIMIT = 100


class WhyNone(Enum):
    """Why a person gets no work."""

    CLOSED = "the project is closed"
    PAUSED = "the person is paused"
    NOT_ADMITTED = "the person has not accepted the consent text, or not qualified, yet"
    LIMIT = "the person has given as many answers as one person may"
    NOTHING = "no item is waiting for them"


def why_none(duty: Duty) -> WhyNone:
    """Return why the person has no item of this kind."""
    member = duty.membership
    if not member.project.is_open:
        return WhyNone.CLOSED
    if member.paused_at is not None:
        return WhyNone.PAUSED
    if not member.is_admitted:
        return WhyNone.NOT_ADMITTED
    return WhyNone.LIMIT if duty.left == 0 else WhyNone.NOTHING


def items_for(duty: Duty) -> int:
    """Return about how many items the person can answer, at most LIMIT + 1.

    Reads the slots of LIMIT + 1 items ahead of the person's place, and as many behind it that were
    claimed and returned. If the person has had all items read and there are more, counts one.
    """
    if not duty.is_given_work:
        return 0
    slots = KINDS[duty.kind].slots_in(duty.membership.project)
    in_queue = queue.unanswered_slots(duty).filter(queue_key__isnull=False).order_by("queue_key")
    ordinary, window = in_queue.filter(reserved=False), (LIMIT + 1) * slots
    slots_ahead = _free(ordinary.filter(queue_key__gt=duty.place)[:window])
    returned = ordinary.filter(queue_key__lte=duty.place, claimed_at__isnull=False)
    items, number_read = _items(slots_ahead), len(slots_ahead)
    items |= _items(_free(returned[:window]))
    if duty.takes_reserved:
        items |= _items(_free(in_queue.filter(reserved=True)[:window]))
    held = queue.unanswered_slots(duty).filter(annotator=duty.membership.user_id).count()
    waiting = len(_items_open_to(duty, items)) or gold.recusals_coming_back(duty).count()
    more = int(not waiting and number_read == window)
    most = duty.left
    number = min(held + waiting + more, LIMIT + 1)
    return number if most is None else min(number, most)


def _free(slots: QuerySet[Slot]) -> list[tuple[int, bool]]:
    """The item of each slot, and whether it is free or its lease has ended."""
    now = timezone.now()
    rows = slots.values_list("item_id", "annotator_id", "lease_until")
    return [(item, not annotator or bool(until and until < now)) for item, annotator, until in rows]


def _items(slots: list[tuple[int, bool]]) -> set[int]:
    return {item for item, is_free in slots if is_free}


def _items_open_to(duty: Duty, items: set[int]) -> set[int]:
    """Return which of the items the person may have.

    They have no slot or recusal for them under any account, and the kind of work does not bar them.
    Each item has slots, so slots are asked.
    """
    is_new = one_person.is_new_to(duty.membership.user.person_key)
    slots = Slot.objects.filter(is_new, item__in=items)
    barred = KINDS[duty.kind].barred_items(duty.membership)
    return set(slots.exclude(barred).values_list("item", flat=True))
