"""A person's own answers of one kind: how many there are, and the last ones."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Duty, Slot

LAST = 10


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of answers: all of them, and those since midnight."""

    total: int
    today: int


def answers_of(duty: Duty) -> QuerySet[Slot]:
    """Return the person's answers, newest first."""
    own = Slot.objects.of_member(duty.membership).answered().filter(kind=duty.kind)
    return own.order_by("-submitted_at", "-id")


def tally_of(duty: Duty) -> Tally:
    """Count the person's answers by the serial numbers of two: the last, the last before today."""
    total = total_of(duty)
    before = answers_of(duty).filter(submitted_at__lt=midnight())
    return Tally(total, total - (before.values_list("serial", flat=True).first() or 0))


def total_of(duty: Duty) -> int:
    """Return the number of the person's answers: the serial number of the last."""
    return answers_of(duty).values_list("serial", flat=True).first() or 0


def limit_of(duty: Duty) -> int | None:
    """Return the most answers that one person may give; None without a limit."""
    limit: int | None = duty.membership.project.limits.get(duty.kind)
    return limit


def left_of(duty: Duty) -> int | None:
    """Return how many more answers the person may give; None without a limit."""
    most = limit_of(duty)
    return None if most is None else max(0, most - total_of(duty))


def midnight() -> datetime:
    return timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
