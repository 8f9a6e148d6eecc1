"""Gold items: items with a known answer, given now and then to check attention.

Each person answers a gold item in a slot of their own, created when they are given it.
"""

from django.db.models import Max
from django.utils import timezone

from annotation.models import Duty, Item, Recusal, Slot
from annotation.work import queue
from annotation.work.keys import schedule_of


def take_due(duty: Duty, answers: int) -> Slot | None:
    """Claim a slot of a gold item if one is due after this number of answers of the person.

    Returns None if none is due, or the person has had them all.
    """
    schedule = schedule_of(duty)
    if schedule is None or (duty.gold_after is not None and answers < duty.gold_after):
        return None
    is_first, duty.gold_after = (
        duty.gold_after is None,
        schedule.next_after(answers, duty.gold_after),
    )
    Duty.objects.filter(pk=duty.pk).update(gold_after=duty.gold_after)
    item = None if is_first else _new_to(duty, schedule.drawn)
    if item is None:
        return None
    last = item.slots.aggregate(last=Max("number"))["last"] or 0
    return Slot.objects.create(
        project_id=item.project_id,
        kind=item.kind,
        item=item,
        number=last + 1,
        annotator=duty.membership.user,
        person_id=queue.main_account(duty.membership.user),
        lease_until=queue.lease_end(duty),
        claimed_at=timezone.now(),
    )


def _new_to(duty: Duty, drawn: int) -> Item | None:
    """The next gold item that the person has not had, from a random start, cyclic."""
    accounts = queue.accounts_of(duty.membership.user)
    every = Item.objects.filter(
        project=duty.membership.project_id, kind=duty.kind, gold_label__isnull=False
    ).order_by("pk")
    first, last = every.first(), every.last()
    if first is None or last is None:
        return None
    had = Slot.objects.filter(annotator__in=accounts, item__in=every.values("pk")).values("item")
    recused = Recusal.objects.filter(annotator__in=accounts).values("item")
    new = every.filter(excluded_by=None).exclude(pk__in=had).exclude(pk__in=recused)
    start = first.pk + drawn % (last.pk - first.pk + 1)
    return new.filter(pk__gte=start).first() or new.filter(pk__lt=start).first()
