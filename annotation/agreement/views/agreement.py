"""The page on inter-annotator agreement, overall and for each annotator."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement.selectors import agreement as selector
from annotation.agreement.selectors.agreement import Annotator, Part
from annotation.models import Project
from annotation.pairs.views import kinds
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot, Panel, Tick
from annotation.projects.views import table_page, timeline
from annotation.stats.agreement import Estimate
from annotation.stats.measures import Filtered

TEMPLATE = "annotation/study/agreement.html"
WEEK = timedelta(days=7)
# The scales start at one half (a coin flip) and at zero (chance).
HALF, CHANCE = Axis((0.5, 0.75, 1.0)), Axis((0.0, 0.5, 1.0))


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure over all pairs, with an explanation, before and after the filter."""

    name: str
    meaning: str
    before: Estimate
    after: Estimate
    is_share: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """Pairs of one method or, if `kind` is set, one kind of change; alpha as a dot."""

    method: str
    kind: str
    measured: Filtered
    dot: Dot | None


@dataclass(frozen=True, slots=True)
class Week:
    """The pairs decided in one week, from Monday; None if there are none."""

    name: str
    word: str
    measured: Filtered | None


@dataclass(frozen=True, slots=True)
class Weeks:
    """The weeks as table rows, and their measures on one time axis."""

    rows: list[Week]
    human: Panel
    alpha: Panel
    ticks: list[Tick]


@dataclass(frozen=True, slots=True)
class Person:
    """An annotator, and their accuracy as a dot on HALF."""

    annotator: Annotator
    dot: Dot | None


@gates.signed_in
@require_safe
def agreement(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the page. Two of its three queries group all decided pairs and their answers."""
    member = gates.reader(request, project_id)
    return render(request, TEMPLATE, _context(table_page.frame(member)))


def _context(frame: dict[str, Any]) -> dict[str, Any]:
    project = frame["project"]
    found = selector.of_project(project)
    return frame | {
        "overall": found.overall,
        "measures": list(_measures(found.overall, project)),
        "methods": [Line(part.key, "", part.measured, _alpha(part)) for part in found.methods],
        "kinds": [_of_kind(part) for part in found.kinds],
        "weeks": _weeks(found.weeks) if found.weeks else None,
        "people": [
            Person(each, charts.across(each.confusion.accuracy, HALF))
            for each in _people(frame["naming"])
        ],
    }


def _measures(overall: Filtered, project: Project) -> Iterator[Measure]:
    before, after = overall.before, overall.after
    yield Measure(
        _("Human agreement"),
        _("How often a single answer is that of the majority of its pair."),
        before.human,
        after.human,
        is_share=True,
    )
    yield Measure(
        _("Fleiss’ kappa"),
        _(
            "How much of the agreement that chance leaves open is reached: 0 is no better than "
            "chance, 1 is perfect. It needs equally many answers on every pair."
        ),
        before.fleiss,
        after.fleiss,
    )
    yield Measure(
        _("Krippendorff’s alpha"),
        _("The same idea, for pairs with any number of answers."),
        before.alpha,
        after.alpha,
    )
    if project.max_label > 1:
        yield Measure(
            _("Ordinal alpha"),
            _("The same for grades: the further two answers are apart, the more they disagree."),
            before.ordinal,
            after.ordinal,
        )


def _of_kind(part: Part[tuple[str, str]]) -> Line:
    method, kind = part.key
    return Line(method, kinds.name(kind), part.measured, _alpha(part))


def _alpha(part: Part[Any]) -> Dot | None:
    return charts.across(part.measured.before.alpha, CHANCE)


def _people(naming: Naming) -> list[Annotator]:
    """Sort by the names that the reader sees."""
    return sorted(selector.annotators(naming.project), key=lambda each: naming.order(each.user))


def _weeks(parts: Sequence[Part[date]]) -> Weeks:
    """Include weeks without decisions between the first and the last."""
    measured = {part.key: part.measured for part in parts}
    first, last = parts[0].key, parts[-1].key
    mondays = [first + number * WEEK for number in range((last - first) // WEEK + 1)]
    rows = [_week(monday, measured.get(monday)) for monday in mondays]
    found = [row.measured.before if row.measured else None for row in rows]
    return Weeks(
        rows=rows,
        human=charts.agreement([each.human if each else Estimate(None) for each in found]),
        alpha=charts.agreement([each.alpha if each else Estimate(None) for each in found]),
        ticks=charts.ticks([row.word for row in rows]),
    )


def _week(monday: date, measured: Filtered | None) -> Week:
    name = timeline.days(monday, monday + WEEK - timedelta(days=1))
    return Week(name, date_format(monday, "MONTH_DAY_FORMAT"), measured)
