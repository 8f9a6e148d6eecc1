"""Data about one member: for managers, and the member's own figures."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from statistics import median

from django.db.models import Case, Count, IntegerField, Q, QuerySet, Sum, When
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Consensus, Duty, Intervention, Judgment, Membership, SamePerson, Slot
from annotation.models.items import WITH_TEXTS
from annotation.models.slots import EXCLUDED, SlotQuerySet
from annotation.pairs.selectors.pairs import ANSWER, Answer
from annotation.projects.labels import outcome_of
from annotation.stats.periods import Periods, periods_covering
from annotation.work import one_person
from common import bulk

LATEST = 20
FOUND = 20
# Answers whose seconds are drawn as dots.
TIMED = 100
DAYS = 28
# Number of latest answers: the pace of the first week says little about today.
PACE_OVER = 1000
# Seconds of work from which on a rate is shown.
LEAST_MEASURED = 600
# Small samples say little, and steps of one pair would reveal how others answered it.
LEAST_PAIRS, STEP = 20, 10
_Kind = Intervention.Kind
NOTES = (_Kind.WARN, _Kind.PAUSE, _Kind.RESUME)
MOST_NOTES = 10


@dataclass(frozen=True, slots=True)
class Answered:
    """One of the person's answers, with the other answers on the same pair by slot."""

    own: Slot
    others: list[Answer]


@dataclass(frozen=True, slots=True)
class Stretch:
    """One period of the person's work; `seconds` is the median, None if unknown."""

    begins: int
    answers: int
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Touched:
    """What excluding or reinstating the person's answers would change.

    Exclusion would exclude `included` answers, of all rounds and of gold pairs, have others answer
    `reassigned` of them, and reopen `decided` pairs. Reinstatement would take back the exclusion of
    `excluded` answers.
    """

    included: int
    reassigned: int
    decided: int
    excluded: int


@dataclass(frozen=True, slots=True)
class OnePerson:
    """The person's other accounts: project members, and how many accounts elsewhere.

    `is_own` says whether this project linked the account, and so may separate it.
    """

    members: list[Membership]
    elsewhere: int
    is_own: bool


def latest_judgments(
    membership: Membership, *, among: Collection[int] | None = None
) -> list[Answered]:
    """Return the newest judgments first, of all or `among` some keys, in two database queries."""
    judgments = _answers(membership)
    if among is not None:
        judgments = judgments.filter(bulk.among("pk", among))
    answers = list(
        judgments.select_related(
            "item__sentence1__corpus", "item__sentence2", "excluded_by"
        ).order_by("-submitted_at", "-pk")[:LATEST]
    )
    of_pairs = Judgment.objects.filter(
        item__in=[answer.item_id for answer in answers], submitted_at__isnull=False
    )
    rows = of_pairs.exclude(annotator=membership.user_id).order_by("number")
    answers_by_pair: defaultdict[int, list[Answer]] = defaultdict(list)
    for pair, *answer in rows.values_list("item", *ANSWER):
        answers_by_pair[pair].append(Answer.from_columns(*answer))
    return [Answered(slot, answers_by_pair[slot.item_id]) for slot in answers]


def latest_seconds(membership: Membership) -> list[tuple[datetime, float]]:
    """Return the times and seconds of the last answers to pairs, oldest first."""
    timed = _answers(membership).filter(seconds__isnull=False).order_by("-submitted_at", "-pk")
    rows = timed.values_list("submitted_at", "seconds")[:TIMED]
    return [(at, seconds) for at, seconds in rows if at and seconds is not None][::-1]


def latest_written_answers(membership: Membership) -> list[Slot]:
    """Return the newest answers of all kinds but judging first, with what their list needs."""
    kinds = {*membership.project.kinds} - {Judgment.KIND}
    slots = Slot.objects.of_member(membership).filter(kind__in=kinds).answered()
    reads = (*(f"item__{path}" for path in WITH_TEXTS), "item__candidate__sentence", "excluded_by")
    return list(slots.select_related(*reads).order_by("-submitted_at", "-pk")[:LATEST])


def course(membership: Membership) -> tuple[Periods, list[Stretch]] | None:
    """Return the number and speed of judgments by period; None if there are no judgments."""
    timed = [
        (int(at.timestamp()), seconds)
        for at, seconds in _answers(membership).values_list("submitted_at", "seconds")
        if at is not None
    ]
    if not timed:
        return None
    times = [at for at, _seconds in timed]
    periods = periods_covering(min(times), max(times))
    seconds: defaultdict[int, list[float | None]] = defaultdict(list)
    for at, spent in timed:
        seconds[(at - periods.start) // periods.length].append(spent)
    return periods, [_stretch(periods, n, seconds[n]) for n in range(periods.number)]


def touched_answers(membership: Membership) -> Touched:
    """Return what an exclusion or reinstatement would change now."""
    answers = _answers(membership)
    counting = answers.counting()
    return Touched(
        included=answers.exclude(EXCLUDED).count(),
        reassigned=counting.filter(item__set_aside_at=None).count(),
        decided=Consensus.objects.filter(pair__in=counting.values("item")).count(),
        excluded=answers.filter(EXCLUDED).count(),
    )


def other_accounts(membership: Membership) -> OnePerson:
    """Return the person's other accounts, in key order, which does not reveal their names."""
    accounts = {*one_person.accounts_of(membership.user)} - {membership.user_id}
    members = Membership.objects.filter(project=membership.project_id, user__in=accounts)
    members_here = list(members.select_related("user").order_by("pk"))
    links = SamePerson.links_of(membership.user_id).filter(project=membership.project_id)
    return OnePerson(members_here, len(accounts) - len(members_here), links.exists())


def search(membership: Membership, words: str) -> list[Membership]:
    """Return other project members whose name contains the words, by user name."""
    name_matches = (
        Q(user__username__icontains=words)
        | Q(user__first_name__icontains=words)
        | Q(user__last_name__icontains=words)
    )
    members = Membership.objects.filter(name_matches, project=membership.project_id)
    members = members.exclude(pk=membership.pk).select_related("user")
    return list(members.order_by("user__username")[:FOUND])


def _answers(membership: Membership) -> SlotQuerySet:
    return Judgment.objects.of_member(membership).answered()


def _stretch(periods: Periods, number: int, seconds: list[float | None]) -> Stretch:
    measured = [spent for spent in seconds if spent is not None]
    return Stretch(periods.begins(number), len(seconds), median(measured) if measured else None)


@dataclass(frozen=True, slots=True)
class Counts:
    """Number of answers of one kind: since midnight, since Monday and in total."""

    today: int
    week: int
    total: int


@dataclass(frozen=True, slots=True)
class Pace:
    """Median seconds per answer and answers per hour of work, over the last `answers`.

    `per_hour` is None until LEAST_MEASURED is measured: the rate of a few answers says nothing.
    """

    seconds: float
    per_hour: float | None
    answers: int


@dataclass(frozen=True, slots=True)
class OwnAgreement:
    """Percentage of decided pairs on which the person sided with the majority."""

    percent: int
    pairs: int


def counts_of(membership: Membership, kind: str) -> Counts:
    today = timezone.localdate()
    monday = _midnight(today - timedelta(days=today.weekday()))
    duty = Duty(membership=membership, kind=kind)
    total, before_today, before_monday = duty.totals(_midnight(today), monday)
    return Counts(total - before_today, total - before_monday, total)


def by_day(membership: Membership) -> dict[date, int]:
    """Return the answers of all kinds on each of the last DAYS days, ending today."""
    today = timezone.localdate()
    days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    answers = _own_answers(membership).filter(submitted_at__gte=_midnight(days[0]))
    by_date = answers.annotate(day=TruncDate("submitted_at")).values_list("day")
    numbers = dict(by_date.annotate(Count("pk")))
    return {day: numbers.get(day, 0) for day in days}


def pace_of(membership: Membership, kind: str) -> Pace | None:
    """Return the pace of a kind of work; None if no time was measured."""
    timed_answers = _own_answers(membership).filter(kind=kind, seconds__isnull=False)
    last = timed_answers.order_by("-submitted_at").values_list("seconds", flat=True)[:PACE_OVER]
    seconds = [value for value in last if value is not None]
    if not (spent := sum(seconds)):
        return None
    per_hour = 3600 * len(seconds) / spent if spent >= LEAST_MEASURED else None
    return Pace(median(seconds), per_hour, len(seconds))


def agreement_of(membership: Membership) -> OwnAgreement | None:
    """Return how often the person sided with the majority; None below LEAST_PAIRS pairs.

    Only multiples of STEP pairs count, in the order in which they were decided, and the share is
    rounded to whole percent: the figure changes only after STEP more pairs, so that it reveals no
    single answer.
    """
    decided = _own_answers(membership).filter(
        kind=Judgment.KIND, excluded_by=None, item__consensus__label__isnull=False
    )
    pairs = decided.count() // STEP * STEP
    if pairs < LEAST_PAIRS:
        return None
    judgments_in_order = decided.order_by("item__consensus__decided_at", "item")[:pairs]
    agreeing = judgments_in_order.annotate(agrees=_sides_with_majority(membership)).aggregate(
        all=Sum("agrees")
    )
    return OwnAgreement(round(100 * agreeing["all"] / pairs), pairs)


def notes_to(membership: Membership) -> list[Intervention]:
    """Return the latest messages to the person about their work, newest first."""
    notes = Intervention.objects.filter(membership=membership, kind__in=NOTES)
    return list(notes.order_by("-pk")[:MOST_NOTES])


def _own_answers(membership: Membership) -> QuerySet[Slot]:
    return Slot.objects.of_member(membership).answered()


def _sides_with_majority(membership: Membership) -> Case:
    """Return 1 where a judgment sides with the majority, else 0."""
    outcome = outcome_of("label", membership.project.scheme)
    return Case(
        When(item__consensus__label=outcome, then=1), default=0, output_field=IntegerField()
    )


def _midnight(day: date) -> datetime:
    """Return the start of a day in the server's time zone."""
    return timezone.make_aware(datetime.combine(day, time.min))
