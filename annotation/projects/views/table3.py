"""Table 3 of PAWS and the balance of labels by method, with links to the lists that they count."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from annotation.models import Correction, Project
from annotation.projects import charts, protocols
from annotation.projects.charts import Dot
from annotation.projects.labels import outcome_names, outcomes_in_order
from annotation.projects.selectors import funnel, over_time
from annotation.projects.selectors.funnel import Funnel
from annotation.projects.views import timeline
from annotation.stats.labels import Scheme

WHOLE = charts.axis(0, 1)


@dataclass(frozen=True, slots=True)
class Balance:
    """The share of the upper side among kept pairs of a method, drawn on a scale from 0 to 1."""

    of: Funnel
    address: str
    dot: Dot | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: its figure, the whole that it is a share of, and the list of its rows.

    Without a figure it is a heading. A figure by outcome has the place of an `outcome`.
    """

    name: str | Promise
    figure: str = ""
    of: str = ""
    page: str = ""
    filters: dict[str, str] = field(default_factory=dict)
    depth: int = 1
    is_share: bool = False
    of_corrections: bool = False
    outcome: int | None = None

    def figure_of(self, funnel: Funnel) -> Any:
        value = attrgetter(self.figure)(funnel)
        return value if self.outcome is None else value[self.outcome]


def _correction(name: str | Promise, figure: str) -> Line:
    state = {"state": figure}
    return Line(name, figure, "candidates", "answers", state, of_corrections=True)


BEFORE_LABELS = (
    Line(_("Candidates"), "candidates", depth=0),
    Line(_("duplicates"), "repeats", "candidates"),
    Line(_("Sentence correction"), depth=0, of_corrections=True),
    _correction(_("accepted"), "accepted"),
    _correction(_("fixed"), "fixed"),
    _correction(_("rejected"), "rejected"),
    _correction(_("waiting"), "waiting"),
    Line(_("Labels"), depth=0),
    Line(_("pairs"), "pairs", "candidates", "pairs"),
    Line(_("excluded"), "excluded", "candidates", "pairs", {"state": "excluded"}),
    Line(_("judged"), "judged.total", "pairs", "pairs", {"state": "decided"}),
)
AGREEMENT = Line(_("human agreement"), "judged.agreement", is_share=True)
AFTER_FILTERING = (
    Line(_("After filtering"), depth=0),
    Line(_("kept"), "kept.total", "judged.total", "pairs", {"state": "kept"}),
    Line(_("human agreement"), "kept.agreement", is_share=True),
)
SELDOM = ("repeats", "excluded")


@dataclass(frozen=True, slots=True)
class Cell:
    """A number, its share of the whole, its list, and its share of candidates as a bar length."""

    number: float | None
    part: float | None
    address: str
    thread: str


@dataclass(frozen=True, slots=True)
class Row:
    """A line with its numbers, one for each method."""

    line: Line
    cells: tuple[Cell, ...]


def context(project: Project) -> dict[str, Any]:
    """Return what templates show by method and over time, in some 11 queries."""
    course = over_time.of_project(project)
    methods = funnel.by_method(project, course)
    total = funnel.total(methods, protocols.of_project(project))
    columns = [*methods, total] if len(methods) > 1 else methods
    return {
        "every": total,
        "columns": columns,
        "table3": _rows(project, columns),
        "width": 1 + 2 * len(columns),
        "upper": outcome_names(project.scheme)[1],
        "balance": [
            _balance(project, column)
            for column in columns
            if column.kept.total and project.scheme.is_binary
        ],
        "timeline": timeline.of_course(course, project.scheme) if course else None,
    }


def _balance(project: Project, of: Funnel) -> Balance:
    filters = {"state": "kept", "label": "1"}
    return Balance(
        of=of,
        address=_list_address(project, "pairs", filters, of),
        dot=charts.horizontal_dot(of.balance, WHOLE),
    )


def _rows(project: Project, funnels: list[Funnel]) -> list[Row]:
    """Return the lines; those of correction, repeats and exclusion only if there are any."""
    corrects = any(column.corrected for column in funnels)
    absent = {name for name in SELDOM if not any(getattr(column, name) for column in funnels)}
    return [
        Row(line, tuple(_cell(project, line, column) for column in funnels) if line.figure else ())
        for line in _lines(project.scheme)
        if (corrects or not line.of_corrections) and line.figure not in absent
    ]


def _lines(scheme: Scheme) -> Iterator[Line]:
    yield from BEFORE_LABELS
    for outcome, name in outcomes_in_order(scheme) if scheme.decides else ():
        filters = {"label": str(scheme.outcome_values[outcome])}
        figure = ("judged.by_outcome", "judged.total", "pairs")
        yield Line(name, *figure, filters, depth=2, outcome=outcome)
    if scheme.decides:
        yield AGREEMENT
        yield from AFTER_FILTERING


def _cell(project: Project, line: Line, funnel: Funnel) -> Cell:
    if line.of_corrections and not funnel.corrected:
        return Cell(None, None, "", "")
    number, page = line.figure_of(funnel), _page(line, funnel)
    whole = attrgetter(line.of)(funnel) if line.of else 0
    return Cell(
        number=number,
        part=number / whole if whole else None,
        address=_list_address(project, page, line.filters, funnel) if page and number else "",
        thread="" if line.is_share else charts.part(number, funnel.candidates),
    )


def _page(line: Line, funnel: Funnel) -> str:
    """Return the page that lists a figure: candidates that skip correction are listed as pairs."""
    if line.figure != "candidates":
        return line.page
    if not funnel.method:
        return ""
    return "answers" if funnel.corrected else "pairs"


def _list_address(project: Project, page: str, filters: dict[str, str], funnel: Funnel) -> str:
    """Return the address of a list, filtered by the method too."""
    filters = filters | ({"method": funnel.method} if funnel.method else {})
    kind = [Correction.KIND] if page == "answers" else []
    address = reverse(page, args=[project.public_id, *kind])
    return f"{address}?{urlencode(filters)}" if filters else address
