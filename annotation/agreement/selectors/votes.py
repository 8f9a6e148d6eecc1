"""Counts of label tallies: the only input that the agreement measures need."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from django.db.models import Count

from annotation.models import Project
from annotation.projects.selectors import study_rows
from annotation.projects.selectors.over_time import Period
from annotation.stats.agreement import Tally, VoteTable
from annotation.stats.periods import DAY, FIRST_MONDAY, Periods

# Calendar weeks in UTC, unbounded: the query finds the weeks that have pairs.
WEEKS = Periods(start=FIRST_MONDAY, length=7 * DAY, number=0)


@dataclass(frozen=True, slots=True)
class Votes:
    """Decided pairs by tally (judgments for label 0, 1, ...), overall and in three subsets.

    `methods` are by name, `kinds` by method and kind of change, and `weeks` by the Monday of the
    week in which the pairs were decided.
    """

    every: VoteTable
    methods: Mapping[str, VoteTable]
    kinds: Mapping[tuple[str, str], VoteTable]
    weeks: Mapping[date, VoteTable]


def of_project(project: Project) -> Votes:
    """Return the votes of a project from one query that groups all decided pairs."""
    every = Counter[Tally]()
    methods = defaultdict[str, Counter[Tally]](Counter)
    kinds = defaultdict[tuple[str, str], Counter[Tally]](Counter)
    weeks = defaultdict[date, Counter[Tally]](Counter)
    for week, method, kind, tally, pairs in _grouped(project):
        for table in (every, methods[method], kinds[method, kind], weeks[_monday(week)]):
            table[tuple(tally)] += pairs
    return Votes(
        every,
        methods=dict(sorted(methods.items())),
        kinds=dict(sorted(kinds.items())),
        weeks=dict(sorted(weeks.items())),
    )


def _grouped(project: Project) -> Iterable[tuple[int, str, str, list[int], int]]:
    columns = ("pair__candidate__run__method", "pair__candidate__kind", "tally")
    decided = study_rows.decided(project).values_list(Period("decided_at", WEEKS), *columns)
    return decided.annotate(Count("pk"))


def _monday(week: int) -> date:
    return datetime.fromtimestamp(WEEKS.begins(week), UTC).date()
