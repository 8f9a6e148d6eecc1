"""Decided pairs and answers in each period of a study, from first to last answer."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, Max, Min, OuterRef, Subquery

from annotation.models import Judgment, Membership, Project
from annotation.models.slots import SlotQuerySet
from annotation.projects.selectors import study_rows
from annotation.projects.selectors.periods import Period
from annotation.stats.agreement import Tally, VoteTable
from annotation.stats.periods import Periods, covering


@dataclass(frozen=True, slots=True)
class Span:
    """The times of the first and the last judgment."""

    first: datetime
    last: datetime

    def periods(self) -> Periods:
        """Divide the span into periods, in the time zone of the installation."""
        offset = self.last.utcoffset()
        seconds = int(offset.total_seconds()) if offset else 0
        return covering(int(self.first.timestamp()), int(self.last.timestamp()), offset=seconds)


@dataclass(frozen=True, slots=True)
class Course:
    """A study over time: for each period its judgments, and the votes of pairs decided in it."""

    periods: Periods
    answers: Counter[int]
    votes: dict[int, VoteTable]
    by_method: dict[str, VoteTable] = field(default_factory=dict)

    @property
    def all_votes(self) -> VoteTable:
        """The votes of all periods together."""
        return _sum(self.by_method.values())


def span(project: Project) -> Span | None:
    """Return the span; None before the first judgment. Two index probes for each member."""
    own = Judgment.objects.filter(
        annotator=OuterRef("user"), project=OuterRef("project"), submitted_at__isnull=False
    )
    ends = Membership.objects.filter(project=project).aggregate(
        first=Min(_first(own.order_by("submitted_at"))),
        last=Max(_first(own.order_by("-submitted_at"))),
    )
    return Span(ends["first"], ends["last"]) if ends["first"] else None


def of_project(project: Project, span: Span) -> Course:
    """Count all decided pairs and all judgments, in two queries."""
    periods = span.periods()
    by_period, by_method = _votes(project, periods)
    answered = study_rows.counted(project).values_list(Period("submitted_at", periods))
    answers = Counter(dict(answered.annotate(Count("pk"))))
    return Course(periods, answers, by_period, by_method)


def _votes(project: Project, periods: Periods) -> tuple[dict[int, VoteTable], dict[str, VoteTable]]:
    decided = study_rows.decided(project).values_list(
        Period("decided_at", periods), "pair__candidate__run__method", "tally"
    )
    by_period = defaultdict[int, Counter[Tally]](Counter)
    by_method = defaultdict[str, Counter[Tally]](Counter)
    for period, method, tally, pairs in decided.annotate(Count("pk")):
        for table in (by_period[min(period, periods.number - 1)], by_method[method]):
            table[tuple(tally)] += pairs
    return dict(by_period), dict(by_method)


def _first(answers: SlotQuerySet) -> Subquery:
    return Subquery(answers.values("submitted_at")[:1])


def _sum(tables: Iterable[VoteTable]) -> VoteTable:
    return sum((Counter(table) for table in tables), Counter[Tally]())
