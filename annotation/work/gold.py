"""Gold items: items with a known answer, given now and then to check attention.

Each person answers a gold item in a slot of their own, created when they are given it.
"""

from dataclasses import dataclass

from django.db.models import Max
from django.utils import timezone

from annotation.models import Duty, Item, Recusal, Slot
from annotation.work import queue
from common.draws import draw


@dataclass(frozen=True, slots=True)
class Schedule:
    """One answer in `every` is of a gold item, at a position that `drawn` decides."""

    every: int
    drawn: int

    def next_after(self, answers: int, gold_after: int | None) -> int:
        """Return the number of answers after which the next gold item is due.

        It lies in the block after that of `answers`; the first one in the first whole block.
        """
        block = -(-answers // self.every) if gold_after is None else answers // self.every + 1
        return block * self.every + self.drawn % self.every


def schedule_of(duty: Duty) -> Schedule | None:
    """Return the schedule; its draw changes with each block, where `gold_after` differs."""
    project = duty.membership.project
    if project.gold_every is None or duty.kind != "judge":
        return None
    key = f"{duty.membership_id} {duty.gold_after}"
    return Schedule(project.gold_every, draw(project.seed, "gold items", key) >> 1)


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
    new = every.exclude(pk__in=had).exclude(pk__in=recused)
    start = first.pk + drawn % (last.pk - first.pk + 1)
    return new.filter(pk__gte=start).first() or new.filter(pk__lt=start).first()
