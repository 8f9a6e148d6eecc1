"""Gold items: items with a known answer, given now and then to check attention.

Each person answers a gold item in a slot of their own, created when they are given it.
"""

from copy import copy

from django.db.models import Exists, Max, OuterRef, QuerySet
from django.utils import timezone

from annotation.models import Duty, Item, Project, Recusal, Slot
from annotation.work import one_person, queue
from annotation.work.keys import Schedule, schedule_of
from annotation.work.kinds import KINDS


def take_due(duty: Duty, person: int) -> Slot | None:
    """Claim a slot of a gold item if one is due after as many answers as the person has given.

    Returns None if none is due, or the person has had them all.
    """
    schedule = _schedule_of_gold(duty)
    if schedule is None:
        return None
    answers = duty.total
    if duty.gold_after is not None and answers < duty.gold_after:
        return None
    is_first, duty.gold_after = (
        duty.gold_after is None,
        schedule.next_after(answers, duty.gold_after),
    )
    Duty.objects.filter(pk=duty.pk).update(gold_after=duty.gold_after)
    item = None if is_first else _unseen_item(duty, person, schedule.drawn)
    return create_slot(duty, person, item) if item else None


def coming_among(duty: Duty, others: int, *, held: int) -> int:
    """Return how many gold items the person gets before they have answered `others` other items.

    They have `held` items in progress, which come first. Draws ahead as `take_due` will.
    """
    if _schedule_of_gold(duty) is None:
        return 0
    unseen = _unseen_items(duty, duty.membership.user.person_key).count()
    ahead, answers, number = copy(duty), duty.total + held, 0
    while number < unseen:
        schedule = _schedule_of_gold(ahead)
        assert schedule is not None  # noqa: S101 as above
        if ahead.gold_after is None:
            ahead.gold_after = schedule.next_after(answers, None)
        elif answers >= ahead.gold_after:
            ahead.gold_after = schedule.next_after(answers, ahead.gold_after)
            number += 1
            answers += 1
            continue
        if not others:
            break
        others -= 1
        answers += 1
    return number


def recusals_coming_back(duty: Duty) -> QuerySet[Recusal]:
    """Return the recusals of gold items that come back to the person who skipped them.

    Like any other item that is skipped under "later", they come after all others: a gold item that
    came back earlier would be recognized, and one that never did could be avoided.
    """
    project = duty.membership.project
    if project.skipping != Project.Skipping.LATER or _schedule_of_gold(duty) is None:
        return Recusal.objects.none()
    return Recusal.objects.filter(
        ~Exists(Slot.objects.filter(item=OuterRef("item"), person=duty.membership.user.person_key)),
        annotator=duty.membership.user_id,
        reason=Recusal.Reason.SKIPPED,
        item__project=project,
        item__kind=duty.kind,
        item__gold_label__isnull=False,
        item__duplicate_of=None,
    ).order_by("pk")


def take_skipped(duty: Duty, person: int) -> Slot | None:
    """Claim a slot of the gold item that the person skipped first, for who has nothing else."""
    recusal = recusals_coming_back(duty).select_related("item").first()
    if recusal is None:
        return None
    recusal.delete()
    return create_slot(duty, person, recusal.item)


def create_slot(duty: Duty, person: int, item: Item) -> Slot:
    """Create a slot of a gold item for the person, in progress.

    Raises IntegrityError if one of their accounts has one.
    """
    last = item.slots.aggregate(last=Max("number"))["last"] or 0
    return Slot.objects.create(
        project_id=item.project_id,
        kind=item.kind,
        item=item,
        number=last + 1,
        annotator=duty.membership.user,
        person_id=person,
        lease_until=queue.lease_end(duty),
        claimed_at=timezone.now(),
    )


def _unseen_item(duty: Duty, person: int, random_number: int) -> Item | None:
    """The next gold item that the person has not had, from a random start, cyclic."""
    items = _items(duty).order_by("pk")
    first, last = items.first(), items.last()
    if first is None or last is None:
        return None
    unseen = _unseen_items(duty, person).order_by("pk")
    start = first.pk + random_number % (last.pk - first.pk + 1)
    return unseen.filter(pk__gte=start).first() or unseen.filter(pk__lt=start).first()


def _items(duty: Duty) -> QuerySet[Item]:
    return Item.objects.filter(
        project=duty.membership.project_id, kind=duty.kind, gold_label__isnull=False
    )


def _unseen_items(duty: Duty, person: int) -> QuerySet[Item]:
    is_new = one_person.is_new_to(person, item="pk")
    return _items(duty).filter(is_new, duplicate_of=None, excluded_by=None)


def _schedule_of_gold(duty: Duty) -> Schedule | None:
    return schedule_of(duty) if KINDS[duty.kind].has_gold else None
