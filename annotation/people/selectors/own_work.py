"""What annotators may see of their own work: nothing reveals other answers on a single pair."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, When
from django.utils import timezone

from annotation.models import Correction, Intervention, Judgment, Membership

DAYS = 28
# Number of latest answers: the pace of the first week says little about today.
PACE_OVER = 1000
# Small samples say little, and steps of one pair would reveal how others answered it.
LEAST_PAIRS, STEP = 20, 10
_Kind = Intervention.Kind
TOLD = (_Kind.WARN, _Kind.PAUSE, _Kind.RESUME)
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


def corrections_of(membership: Membership) -> Counts:
    """Count a member's corrections."""
    return _counts(_corrections(membership))


def judgments_of(membership: Membership) -> Counts:
    """Count a member's judgments."""
    return _counts(_judgments(membership))


def by_day(membership: Membership) -> dict[date, int]:
    """Return corrections plus judgments on each of the last DAYS days, ending today."""
    corrected = _by_day(_corrections(membership))
    judged = _by_day(_judgments(membership))
    return {day: number + judged[day] for day, number in corrected.items()}


def pace_of_judging(membership: Membership) -> Pace | None:
    """Return the pace of judging; None if no time was measured."""
    return _pace(_judgments(membership))


def pace_of_correcting(membership: Membership) -> Pace | None:
    """Return the pace of correcting; None if no time was measured."""
    return _pace(_corrections(membership))


def agreement_of(membership: Membership) -> OwnAgreement | None:
    """Return how often the person sided with the majority; None below LEAST_PAIRS pairs.

    Only multiples of STEP pairs count, in the order in which they were decided, and the share is
    rounded to whole percent: the figure changes only after STEP more pairs, so that it reveals no
    single answer.
    """
    decided = _judgments(membership).filter(held_out=None, pair__consensus__label__isnull=False)
    pairs = decided.count() // STEP * STEP
    if pairs < LEAST_PAIRS:
        return None
    first = decided.order_by("pair__consensus__decided_at", "pair")[:pairs]
    agreeing = first.annotate(agrees=_on_the_side_of_most(membership)).aggregate(all=Sum("agrees"))
    return OwnAgreement(round(100 * agreeing["all"] / pairs), pairs)


def notes_to(membership: Membership) -> list[Intervention]:
    """Return the latest messages to the person about their work, newest first."""
    told = Intervention.objects.filter(membership=membership, kind__in=TOLD)
    return list(told.order_by("-pk")[:MOST_NOTES])


def _corrections(membership: Membership) -> QuerySet[Correction]:
    return Correction.objects.filter(
        annotator=membership.user_id, project=membership.project_id, action__isnull=False
    )


def _judgments(membership: Membership) -> QuerySet[Judgment]:
    return Judgment.objects.filter(
        annotator=membership.user_id, project=membership.project_id, label__isnull=False
    )


def _counts(answers: QuerySet[Correction] | QuerySet[Judgment]) -> Counts:
    today = timezone.localdate()
    total = _last_number(answers)
    before_today = _last_number(answers.filter(submitted_at__lt=_midnight(today)))
    monday = _midnight(today - timedelta(days=today.weekday()))
    before_monday = _last_number(answers.filter(submitted_at__lt=monday))
    return Counts(total - before_today, total - before_monday, total)


def _last_number(answers: QuerySet[Correction] | QuerySet[Judgment]) -> int:
    """Answers are numbered consecutively, so the last number is their count."""
    numbered = answers.filter(submitted_at__isnull=False).order_by("-submitted_at")
    return numbered.values_list("number", flat=True).first() or 0


def _by_day(answers: QuerySet[Correction] | QuerySet[Judgment]) -> dict[date, int]:
    today = timezone.localdate()
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    numbers = answers.filter(submitted_at__gte=_midnight(days[0])).aggregate(
        **{day.isoformat(): Count("pk", filter=_on(day)) for day in days}
    )
    return {day: numbers[day.isoformat()] for day in days}


def _on(day: date) -> Q:
    ends = {"submitted_at__gte": _midnight(day), "submitted_at__lt": _midnight(day, 1)}
    return Q(**ends)


def _pace(answers: QuerySet[Correction] | QuerySet[Judgment]) -> Pace | None:
    measured = answers.filter(seconds__isnull=False).order_by("-submitted_at")
    last = measured.values_list("seconds", flat=True)[:PACE_OVER]
    seconds = [each for each in last if each is not None]
    if not (spent := sum(seconds)):
        return None
    return Pace(median(seconds), 3600 * len(seconds) / spent, len(seconds))


def _on_the_side_of_most(membership: Membership) -> Case:
    """Return 1 where a judgment sides with the majority, else 0."""
    paraphrase_from = membership.project.paraphrase_from
    same = Q(label__gte=paraphrase_from, pair__consensus__label=1)
    different = Q(label__lt=paraphrase_from, pair__consensus__label=0)
    return Case(When(same | different, then=1), default=0, output_field=IntegerField())


def _midnight(day: date, days_later: int = 0) -> datetime:
    """Return the start of a day in the server's time zone."""
    return timezone.make_aware(datetime.combine(day + timedelta(days=days_later), time.min))
