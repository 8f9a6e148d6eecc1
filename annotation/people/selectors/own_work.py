"""What annotators may see of their own work: nothing reveals other answers on a single pair."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Duty, Intervention, Membership, Slot

DAYS = 28
# Number of latest answers: the pace of the first week says little about today.
PACE_OVER = 1000
# Small samples say little, and steps of one pair would reveal how others answered it.
LEAST_PAIRS, STEP = 20, 10
_Kind = Intervention.Kind
NOTES = (_Kind.WARN, _Kind.PAUSE, _Kind.RESUME)
MOST_NOTES = 10


@dataclass(frozen=True, slots=True)
class Counts:
    """Number of answers of one kind: since midnight, since Monday and in total."""

    today: int
    week: int
    total: int


@dataclass(frozen=True, slots=True)
class Pace:
    """Median seconds per answer and answers per hour of work, over the last `answers`."""

    seconds: float
    per_hour: float
    answers: int


@dataclass(frozen=True, slots=True)
class OwnAgreement:
    """Percentage of decided pairs on which the person sided with the majority."""

    percent: int
    pairs: int


def counts_of(membership: Membership, kind: str) -> Counts:
    """Count a member's answers of a kind."""
    today = timezone.localdate()
    monday = _midnight(today - timedelta(days=today.weekday()))
    duty = Duty(membership=membership, kind=kind)
    before_today, before_monday = (duty.total_before(start) for start in (_midnight(today), monday))
    return Counts(duty.total - before_today, duty.total - before_monday, duty.total)


def by_day(membership: Membership) -> dict[date, int]:
    """Return the answers of all kinds on each of the last DAYS days, ending today."""
    today = timezone.localdate()
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    answers = _answers(membership).filter(submitted_at__gte=_midnight(days[0]))
    given = answers.annotate(day=TruncDate("submitted_at")).values_list("day")
    numbers = dict(given.annotate(Count("pk")))
    return {day: numbers.get(day, 0) for day in days}


def pace_of(membership: Membership, kind: str) -> Pace | None:
    """Return the pace of a kind of work; None if no time was measured."""
    measured = _answers(membership).filter(kind=kind, seconds__isnull=False)
    last = measured.order_by("-submitted_at").values_list("seconds", flat=True)[:PACE_OVER]
    seconds = [each for each in last if each is not None]
    if not (spent := sum(seconds)):
        return None
    return Pace(median(seconds), 3600 * len(seconds) / spent, len(seconds))


def agreement_of(membership: Membership) -> OwnAgreement | None:
    """Return how often the person sided with the majority; None below LEAST_PAIRS pairs.

    Only multiples of STEP pairs count, in the order in which they were decided, and the share is
    rounded to whole percent: the figure changes only after STEP more pairs, so that it reveals no
    single answer.
    """
    decided = _answers(membership).filter(
        kind="judge", excluded_by=None, item__consensus__label__isnull=False
    )
    pairs = decided.count() // STEP * STEP
    if pairs < LEAST_PAIRS:
        return None
    first = decided.order_by("item__consensus__decided_at", "item")[:pairs]
    agreeing = first.annotate(agrees=_on_the_side_of_most(membership)).aggregate(all=Sum("agrees"))
    return OwnAgreement(round(100 * agreeing["all"] / pairs), pairs)


def notes_to(membership: Membership) -> list[Intervention]:
    """Return the latest messages to the person about their work, newest first."""
    notes = Intervention.objects.filter(membership=membership, kind__in=NOTES)
    return list(notes.order_by("-pk")[:MOST_NOTES])


def _answers(membership: Membership) -> QuerySet[Slot]:
    return Slot.objects.of_member(membership).answered()


def _on_the_side_of_most(membership: Membership) -> Case:
    """Return 1 where a judgment sides with the majority, else 0."""
    paraphrase_from = membership.project.paraphrase_from
    same = Q(label__gte=paraphrase_from, item__consensus__label=1)
    different = Q(label__lt=paraphrase_from, item__consensus__label=0)
    return Case(When(same | different, then=1), default=0, output_field=IntegerField())


def _midnight(day: date) -> datetime:
    """Return the start of a day in the server's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min))
