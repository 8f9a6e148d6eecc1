"""Data about one member: latest answers, pace, and the effects of an exclusion."""

from collections import defaultdict
from dataclasses import dataclass
from statistics import median

from django.db.models import Q

from accounts.models import User
from annotation.models import (
    Consensus,
    Correction,
    Intervention,
    Judgment,
    Membership,
    SamePerson,
    Slot,
)
from annotation.models.slots import SlotQuerySet
from annotation.pairs.selectors.pairs import ANSWER, Answer
from annotation.stats.periods import Periods, covering

LATEST = 20
FOUND = 20


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


def latest(membership: Membership) -> list[Answered]:
    """Return the newest judgments first, in two database queries."""
    own = list(
        _answers(membership)
        .select_related("item__sentence1__corpus", "item__sentence2", "excluded_by")
        .order_by("-submitted_at", "-pk")[:LATEST]
    )
    given = Judgment.objects.filter(
        item__in=[each.item_id for each in own], submitted_at__isnull=False
    )
    rows = given.exclude(annotator=membership.user_id).order_by("number")
    others: defaultdict[int, list[Answer]] = defaultdict(list)
    for pair, *answer in rows.values_list("item", *ANSWER):
        others[pair].append(Answer.of(*answer))
    return [Answered(each, others[each.item_id]) for each in own]


def latest_corrections(membership: Membership) -> list[Slot]:
    """Return the newest corrections first, with what their list needs."""
    own = Correction.objects.of_member(membership).answered().select_related("excluded_by")
    reads = ("item__candidate__run__corpus", "item__candidate__sentence")
    return list(own.select_related(*reads).order_by("-submitted_at", "-pk")[:LATEST])


def course(membership: Membership) -> tuple[Periods, list[Stretch]] | None:
    """Return the number and speed of judgments by period; None if there are no judgments."""
    timed = [
        (int(at.timestamp()), seconds)
        for at, seconds in _answers(membership).values_list("submitted_at", "seconds")
        if at is not None
    ]
    if not timed:
        return None
    periods = covering(min(timed)[0], max(timed)[0])
    seconds: defaultdict[int, list[float | None]] = defaultdict(list)
    for at, each in timed:
        seconds[(at - periods.start) // periods.length].append(each)
    return periods, [_stretch(periods, n, seconds[n]) for n in range(periods.number)]


def touched(membership: Membership) -> Touched:
    """Return what an exclusion or reinstatement would change now."""
    answers, out = _answers(membership), Q(excluded_by__kind=Intervention.Kind.EXCLUDE)
    counting = answers.counting()
    return Touched(
        included=answers.exclude(out).count(),
        reassigned=counting.filter(item__set_aside_at=None).count(),
        decided=Consensus.objects.filter(pair__in=counting.values("item")).count(),
        excluded=answers.filter(out).count(),
    )


def one_person(membership: Membership) -> OnePerson:
    """Return the person's other accounts, in key order, which does not reveal their names."""
    main = membership.user.main_account_id or membership.user_id
    accounts = User.objects.filter(Q(pk=main) | Q(main_account=main)).exclude(pk=membership.user_id)
    members = Membership.objects.filter(project=membership.project_id, user__in=accounts)
    found = list(members.select_related("user").order_by("pk"))
    own = SamePerson.of(membership.user_id).filter(project=membership.project_id)
    return OnePerson(found, accounts.count() - len(found), own.exists())


def search(membership: Membership, words: str) -> list[Membership]:
    """Return other project members whose name contains the words, by user name."""
    named = (
        Q(user__username__icontains=words)
        | Q(user__first_name__icontains=words)
        | Q(user__last_name__icontains=words)
    )
    others = Membership.objects.filter(named, project=membership.project_id)
    others = others.exclude(pk=membership.pk).select_related("user")
    return list(others.order_by("user__username")[:FOUND])


def _answers(membership: Membership) -> SlotQuerySet:
    return Judgment.objects.of_member(membership).answered()


def _stretch(periods: Periods, number: int, seconds: list[float | None]) -> Stretch:
    known = [each for each in seconds if each is not None]
    return Stretch(periods.begins(number), len(seconds), median(known) if known else None)
