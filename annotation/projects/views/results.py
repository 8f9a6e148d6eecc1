"""The results of a study as its overview shows them: labels, grades, changes, and the latest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import floor

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotation.models import Intervention, Project, Validation
from annotation.pairs.differences import Piece
from annotation.people.selectors.names import Naming
from annotation.projects import charts, protocols
from annotation.projects.charts import Curve, Shares
from annotation.projects.labels import outcome_names
from annotation.projects.selectors.over_time import Course
from annotation.projects.views import timeline
from annotation.stats.agreement import VoteTable
from annotation.stats.consensus import Protocol, decide_tally, most_frequent
from annotation.stats.intervals import Interval, wilson
from annotation.stats.labels import Scheme
from annotation.stats.paws_tables import Identification
from annotation.stats.ratings import Ratings, ratings
from annotation.templatetags.figures import number
from annotation.translations.selectors.figures import Study
from annotation.translations.selectors.results import Opinion, Result
from annotation.work import judge

# An exclusion is news for so long.
RECENT = timedelta(days=14)
FEWEST_PERIODS = 3
Action = Validation.Action


@dataclass(frozen=True, slots=True)
class Labels:
    """The kept pairs by side, with their names and the interval of the share of the upper one."""

    bar: Shares
    upper: str
    upper_pairs: int
    lower: str
    lower_pairs: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Change:
    """What the exclusion of one person's answers did to agreement, on a scale from `low` to 1."""

    name: str
    moment: datetime
    before: float
    after: float
    low: float
    x_before: str
    x_after: str

    @property
    def middle(self) -> float:
        return (1 + self.low) / 2

    @property
    def gain(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Grade:
    """The pairs to which most people gave a label, or answers.

    `is_first` on the upper side, where sides decide.
    """

    value: int
    name: str | Promise
    number: int
    bar: Shares
    is_first: bool


@dataclass(frozen=True, slots=True)
class Grades:
    """All labels; `unanimous` counts the decided pairs to which all people gave the same one.

    `upper` counts those of the upper side, if sides decide. Where votes do not decide, `ratings`
    are the answers, and grades count these, `total` in all, not pairs.
    """

    grades: list[Grade]
    upper: int
    total: int
    ratings: Ratings | None
    unanimous: int
    decided: int


@dataclass(frozen=True, slots=True)
class Event:
    """An exclusion in the chart: its words, and where it is; those of a late one are before it."""

    words: str
    x: str
    is_late: bool


@dataclass(frozen=True, slots=True)
class CourseChart:
    """How much was done up to the end of each period, and what the chart says in words."""

    curve: Curve
    total: str
    words: str
    first: str
    last: str
    events: list[Event]


@dataclass(frozen=True, slots=True)
class TranslationLine:
    """A translation with its source, and what came of it: words and the colour of their chip."""

    texts: tuple[list[Piece], list[Piece]]
    state: str | Promise
    colour: str


@dataclass(frozen=True, slots=True)
class Validated:
    """Validations by what came of them."""

    accepted: int
    fixed: int
    rejected: int
    bar: Shares

    @property
    def number(self) -> int:
        return self.accepted + self.fixed + self.rejected


def labels(kept: Identification, scheme: Scheme) -> Labels | None:
    """Return the two sides of the kept pairs; None for other schemes, and without such pairs."""
    if not kept.total or not scheme.is_binary:
        return None
    (lower, upper), (lower_pairs, upper_pairs) = outcome_names(scheme), kept.by_outcome
    return Labels(
        charts.shares({"done": upper_pairs, "doing": lower_pairs}, kept.total),
        upper,
        upper_pairs,
        lower,
        lower_pairs,
        wilson(upper_pairs, kept.total),
    )


def change_by_exclusion(
    exclusions: Sequence[Intervention], after: float | None, naming: Naming
) -> Change | None:
    """Return what the last exclusion of RECENT did; None if its evidence does not say that."""
    recent = [step for step in exclusions if step.created_at > timezone.now() - RECENT]
    last = max(recent, key=lambda step: step.pk, default=None)
    before = last.evidence.get("agreement_before") if last else None
    if last is None or before is None or after is None:
        return None
    low = min(floor(10 * min(before, after)) / 10, 0.9)
    name = naming.name(last.membership.user)
    places = (charts.place(value, low) for value in (before, after))
    return Change(name, last.created_at, before, after, low, *places)


def grades(project: Project, votes: VoteTable) -> Grades:
    scheme, decided = project.scheme, sum(votes.values())
    upper_from = [scheme.outcome(place) for place in range(scheme.size)].index(1)
    if scheme.decides:
        answers = None
        numbers, upper = _pairs_by_label(votes, protocols.of_project(project))
    else:
        answers = ratings(votes, scheme)
        numbers = answers.by_label
        upper = 0
    return Grades(
        [
            Grade(
                choice.value,
                choice.name,
                numbers[choice.place],
                charts.shares({"done": numbers[choice.place]}, max(numbers) or 1),
                is_first=scheme.is_binary and scheme.folds and choice.place == upper_from,
            )
            for choice in judge.choices(project)
        ],
        upper,
        decided if answers is None else sum(numbers),
        answers,
        sum(pairs for tally, pairs in votes.items() if max(tally) == sum(tally)),
        decided,
    )


def _pairs_by_label(votes: VoteTable, protocol: Protocol) -> tuple[Sequence[int], int]:
    """Return the pairs by the label that most people gave, and those of the upper side."""
    numbers, upper = [0] * protocol.scheme.size, 0
    for tally, pairs in votes.items():
        if (label := most_frequent(tally)) is not None:
            numbers[label] += pairs
        upper += pairs if decide_tally(tally, protocol).majority else 0
    return numbers, upper


def decided_pairs(
    course: Course, pairs: int, exclusions: Sequence[Intervention]
) -> CourseChart | None:
    """Return the decided pairs of those that there are, from three periods on; else None."""
    periods = range(course.periods.number)
    decided = [sum(course.votes.get(period, {}).values()) for period in periods]
    total = _("%(decided)s of %(pairs)s pairs")
    total %= {"decided": number(sum(decided)), "pairs": number(pairs)}
    return _course(course, decided, pairs, total, _events(course, exclusions))


def translations(course: Course, sentences: int) -> CourseChart | None:
    """Return the answers of translators against the sentences, from three periods on."""
    answers = [course.answers[period] for period in range(course.periods.number)]
    text = ngettext("%(n)s answer", "%(n)s answers", sum(answers))
    return _course(course, answers, sentences, text % {"n": number(sum(answers))}, [])


def _course(
    course: Course, numbers: Sequence[int], whole: int, total: str, events: list[Event]
) -> CourseChart | None:
    if len(numbers) < FEWEST_PERIODS:
        return None
    first = date_format(timeline.moment(course.periods.begins(0)), "MONTH_DAY_FORMAT")
    last = date_format(timezone.localtime(course.last), "MONTH_DAY_FORMAT")
    text = _("From 0 on %(first)s to %(total)s on %(last)s.")
    words = [text % {"first": first, "total": total, "last": last}]
    words += [f"{event.words}." for event in events]
    curve = charts.curve(numbers, max(whole, sum(numbers)))
    return CourseChart(curve, total, " ".join(words), first, last, events)


def _events(course: Course, exclusions: Sequence[Intervention]) -> list[Event]:
    """Return the exclusions within the chart, those of one day as one."""
    start, length = course.periods.start, course.periods.length * course.periods.number
    people_by_day: dict[str, list[float]] = {}
    for step in exclusions:
        part = (step.created_at.timestamp() - start) / length
        if 0 <= part <= 1:
            day = date_format(timezone.localtime(step.created_at), "MONTH_DAY_FORMAT")
            people_by_day.setdefault(day, []).append(part)
    return [
        Event(
            ngettext("%(n)s person excluded", "%(n)s people excluded", len(parts))
            % {"n": number(len(parts))},
            charts.along(parts[0]),
            parts[0] > 1 / 2,
        )
        for parts in people_by_day.values()
    ]


def looked(study: Study) -> Validated | None:
    """Return what validators did with the translations that they saw."""
    actions = [
        opinion.look.action for _result, opinion in study.opinions if opinion.look is not None
    ]
    accepted, fixed, rejected = (
        actions.count(action) for action in (Action.ACCEPT, Action.FIX, Action.REJECT)
    )
    whole = accepted + fixed + rejected
    if not whole:
        return None
    parts = {"done": accepted, "doing": fixed, "bad": rejected}
    return Validated(accepted, fixed, rejected, charts.shares(parts, whole))


def latest_translations(study: Study, slots: Sequence[int]) -> list[TranslationLine]:
    opinions = {opinion.slot: (result, opinion) for result, opinion in study.opinions}
    return [_translation_line(*opinions[slot]) for slot in slots if slot in opinions]


def _translation_line(result: Result, opinion: Opinion) -> TranslationLine:
    texts = [Piece(result.source, False)], [Piece(opinion.final_text, False)]
    action = opinion.look.action if opinion.look else None
    if action == "":
        return TranslationLine(texts, _("waits for validation"), "")
    if action is None:
        return TranslationLine(texts, _("translated"), "")
    states: Mapping[str, tuple[str, str]] = {
        Action.ACCEPT: (_("accepted"), "green"),
        Action.FIX: (_("fixed"), "blue"),
        Action.REJECT: (_("rejected"), ""),
    }
    return TranslationLine(texts, *states[action])
