"""Work that waits for a person, at a cost that does not grow with the project."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from enum import Enum

from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Duty, Project, Slot
from annotation.work import gold, one_person, queue
from annotation.work.kinds import KINDS

# Pages show "more than 100". Twenty more are counted, so that this stays true for as many answers.
SHOWN, COUNTED = 100, 120
# How much is read at a time, in as many slots: more for people who may not have what comes first.
READS = (1, 3, 9, 27)


class WhyNone(Enum):
    """Why a person gets no work."""

    CLOSED = "the project is closed"
    PAUSED = "the person is paused"
    NOT_ADMITTED = "the person has not accepted the consent text, replied or qualified yet"
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
    """Return how many items the person can answer if no one else works, at most COUNTED.

    Includes the one in progress, and the gold items that come in between: left out, the number
    would tell which those are. Of items that one person does not get together, one is counted.
    """
    if not duty.is_given_work:
        return 0
    held = queue.unanswered_slots(duty).filter(annotator=duty.membership.user_id).count()
    others = _number_open(duty) + gold.recusals_coming_back(duty).count()
    number = min(held + others + gold.coming_among(duty, others, held=held), COUNTED)
    most = duty.left
    return number if most is None else min(number, most)


def _number_open(duty: Duty) -> int:
    """Return how many items in the queue the person gets, at most about COUNTED.

    If they get none of all that are read and there are more, counts one.
    """
    kind, project = KINDS[duty.kind], duty.membership.project
    partners: dict[int, set[int]] = defaultdict(set)
    taken: set[int] = set()
    barred: set[int] = set()
    has_more = False
    for items, is_cut in _items_in_order(duty):
        has_more = is_cut
        for one, other in kind.kept_apart(project, items):
            partners[one].add(other)
            partners[other].add(one)
        open_items = _items_open_to(duty, items)
        for item in items:
            if item in open_items and item not in barred:
                taken.add(item)
                barred |= partners[item]
        if len(taken) >= COUNTED:
            break
    return len(taken) or int(has_more)


def _items_in_order(duty: Duty) -> Iterator[tuple[Sequence[int], bool]]:
    """Yield items with a free slot as the person comes to them, and whether some stay unread.

    The order is that of queue.take_next.
    """
    project = duty.membership.project
    in_depth = project.order == Project.Order.DEPTH
    window = COUNTED * (KINDS[duty.kind].slots_in(project) if in_depth else 1)
    slots = queue.unanswered_slots(duty).filter(queue_key__isnull=False).order_by("queue_key")
    ordinary, has_more = slots.filter(reserved=False), True
    place: int | None = duty.place
    if duty.takes_reserved:
        yield _free_items(slots.filter(reserved=True)[:window])[0], True
    for growth in READS:
        if has_more:
            items, keys = _free_items(ordinary.filter(queue_key__gt=place)[: growth * window])
            has_more = len(keys) == growth * window
            place = keys[-1] if keys else place
            yield items, has_more
    returned = ordinary.filter(queue_key__lte=duty.place, claimed_at__isnull=False)
    yield _free_items(returned[:window])[0], has_more


def _free_items(slots: QuerySet[Slot]) -> tuple[list[int], list[int | None]]:
    """Return the items of the slots that are free or whose lease has ended, and all queue keys."""
    now = timezone.now()
    rows = slots.values_list("item_id", "queue_key", "annotator_id", "lease_until")
    items = {
        item: None for item, _key, holder, until in rows if not holder or (until and until < now)
    }
    return list(items), [key for _item, key, _holder, _until in rows]


def _items_open_to(duty: Duty, items: Sequence[int]) -> set[int]:
    """Return which of the items the person may have.

    They have no slot or recusal for them under any account, and the kind of work does not bar them.
    Each item has slots, so slots are asked.
    """
    is_new = one_person.is_new_to(duty.membership.user.person_key)
    slots = Slot.objects.filter(is_new, item__in=items)
    barred = KINDS[duty.kind].barred_items(duty.membership)
    return set(slots.exclude(barred).values_list("item", flat=True))
