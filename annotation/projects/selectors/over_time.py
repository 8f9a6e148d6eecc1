"""A study over time: decided pairs and answers in each period, the pace and its end."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Func, IntegerField, Max, Min, OuterRef, Subquery
from django.utils import timezone

from annotation.models import Judgment, Membership, Project, Slot
from annotation.models.slots import SlotQuerySet
from annotation.projects.selectors import study_rows
from annotation.stats import periods
from annotation.stats.agreement import Tally, VoteTable, as_key
from annotation.stats.periods import Forecast, Periods, Window, periods_covering


class Period(Func):
    """The number of the period, from 0 on, that contains a time.

    Its integers are part of the SQL text, not parameters: a grouped expression occurs twice in a
    statement, and Postgres takes two bound parameters for different values. Comparing times with
    the beginnings of all periods takes less than converting each time to seconds.
    """

    output_field = IntegerField()
    template = "(WIDTH_BUCKET(%(expressions)s, ARRAY[%(beginnings)s]) - 1)"

    def __init__(self, time: str, periods: Periods) -> None:
        beginnings = map(periods.begins, range(periods.number))
        super().__init__(
            time,
            start=periods.start,
            length=periods.length,
            beginnings=", ".join(f"TO_TIMESTAMP({beginning:d})" for beginning in beginnings),
        )

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Avoid FLOOR, which not every build of SQLite has: the numbers are positive."""
        template = (
            "((CAST(strftime('%%%%s', %(expressions)s) AS integer) - %(start)d) / %(length)d)"
        )
        return self.as_sql(compiler, connection, template=template, **context)


@dataclass(frozen=True, slots=True)
class Course:
    """A study from its first to its last answer of one kind of work, in periods.

    For each period it has the number of answers and, if they are judgments, the votes of pairs
    decided in it.
    """

    kind: str
    first: datetime
    last: datetime
    periods: Periods
    answers: Counter[int]
    votes: dict[int, VoteTable] = field(default_factory=dict)
    by_method: dict[str, VoteTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pace:
    """The forecast is None if nothing is left, work has stopped, or the study is too young.

    `window` is the time that was measured, None in a study's first hour.
    """

    left: int
    last: datetime
    window: Window | None
    forecast: Forecast | None
    now: datetime

    @property
    def ends(self) -> tuple[datetime, datetime | None] | None:
        """The dates of the range, once the window is at least a full day."""
        if self.forecast is None or self.window is None or self.window.total < periods.DAY:
            return None
        latest = self.forecast.latest
        return self._moment(self.forecast.soonest), None if latest is None else self._moment(latest)

    @property
    def is_on_one_day(self) -> bool:
        """Whether both ends of the range fall on the same date."""
        ends = self.ends
        return ends is not None and ends[1] is not None and ends[0].date() == ends[1].date()

    def _moment(self, hours: float) -> datetime:
        return self.now + timedelta(hours=hours)


def of_project(project: Project) -> Course | None:
    """Count all decided pairs and all judgments, in three queries; None before the first one."""
    course = of_answers(project, Judgment.KIND)
    if course is None:
        return None
    by_period, by_method = _decided_votes(project, course.periods)
    return replace(course, votes=by_period, by_method=by_method)


def of_answers(project: Project, kind: str) -> Course | None:
    """Count all answers of a kind of work, in two queries; None before the first answer.

    The periods are those of the time zone of the installation.
    """
    first, last = _span(project, kind)
    if first is None or last is None:
        return None
    zone = last.utcoffset() or timedelta(0)
    periods = periods_covering(
        int(first.timestamp()), int(last.timestamp()), offset=int(zone.total_seconds())
    )
    by_period = study_rows.answers(project, kind).values_list(Period("submitted_at", periods))
    answers = Counter(dict(by_period.annotate(Count("pk"))))
    return Course(kind, first, last, periods, answers)


def pace_of(project: Project, course: Course) -> Pace:
    """Count open slots and the answers of the window, in two queries."""
    now = timezone.now()
    answers_left = study_rows.to_answer(project, course.kind).count()
    window = periods.window((now - course.first).total_seconds())
    if window is None:
        return Pace(answers_left, course.last, window=None, forecast=None, now=now)
    counts = _count_by_stretch(project, course.kind, window, now)
    forecast = periods.forecast(counts, window, answers_left=answers_left)
    return Pace(answers_left, course.last, window=window, forecast=forecast, now=now)


def _span(project: Project, kind: str) -> tuple[datetime | None, datetime | None]:
    """Return the times of the first and last answer.

    By two probes for each member, one at each end of the index of slots by annotator: no index has
    all answers of a project by time, so their minimum and maximum would read every answer.
    """
    of_member = {"annotator": OuterRef("user"), "project": OuterRef("project")}
    answers_of_member = Slot.objects.filter(**of_member, kind=kind, submitted_at__isnull=False)
    ends = Membership.objects.filter(project=project).aggregate(
        first=Min(_first_answer_time(answers_of_member.order_by("submitted_at"))),
        last=Max(_first_answer_time(answers_of_member.order_by("-submitted_at"))),
    )
    return ends["first"], ends["last"]


def _decided_votes(
    project: Project, periods: Periods
) -> tuple[dict[int, VoteTable], dict[str, VoteTable]]:
    columns = ("pair__candidate__run__method", "tally", "first_tally")
    decided = study_rows.consensus_rows(project).values_list(
        Period("decided_at", periods), *columns
    )
    by_period = defaultdict[int, Counter[Tally]](Counter)
    by_method = defaultdict[str, Counter[Tally]](Counter)
    for period, method, tally, first, pairs in decided.annotate(Count("pk")):
        for table in (by_period[min(period, periods.number - 1)], by_method[method]):
            table[as_key(tally, first)] += pairs
    return dict(by_period), dict(by_method)


def _first_answer_time(answers: SlotQuerySet) -> Subquery:
    return Subquery(answers.values("submitted_at")[:1])


def _count_by_stretch(project: Project, kind: str, window: Window, now: datetime) -> list[int]:
    """Return the number of answers in each stretch, latest first."""
    since = now - timedelta(seconds=window.total)
    stretches = Periods(int(since.timestamp()), window.seconds, window.stretches)
    recent = study_rows.answers(project, kind).filter(submitted_at__gte=since)
    counts = dict(recent.values_list(Period("submitted_at", stretches)).annotate(Count("pk")))
    newest = window.stretches - 1
    in_newest = sum(number for stretch, number in counts.items() if stretch >= newest)
    return [in_newest, *(counts.get(stretch, 0) for stretch in reversed(range(newest)))]
