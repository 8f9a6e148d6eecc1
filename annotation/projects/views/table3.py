"""PAWS Table 3 of a running study: each number with its share and a link to its list."""

from dataclasses import dataclass, field
from operator import attrgetter

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.projects.charts import panels
from annotation.projects.selectors.funnel import Funnel


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the table: its figure, the whole that it is a share of, and the list of its rows.

    Without a figure it is a heading.
    """

    name: str | Promise
    figure: str = ""
    of: str = ""
    page: str = ""
    filters: dict[str, str] = field(default_factory=dict)
    depth: int = 1
    is_share: bool = False
    of_corrections: bool = False


def _correction(name: str | Promise, figure: str) -> Line:
    state = {"state": figure}
    return Line(name, figure, "candidates", "answers", state, of_corrections=True)


LINES = (
    Line(_("Candidates"), "candidates", depth=0),
    Line(_("Sentence correction"), depth=0, of_corrections=True),
    _correction(_("accepted"), "accepted"),
    _correction(_("fixed"), "fixed"),
    _correction(_("rejected"), "rejected"),
    _correction(_("waiting"), "waiting"),
    Line(_("Paraphrase identification"), depth=0),
    Line(_("pairs"), "pairs", "candidates", "pairs"),
    Line(_("judged"), "judged.total", "pairs", "pairs", {"state": "decided"}),
    Line(
        _("paraphrase"),
        "judged.paraphrase",
        "judged.total",
        "pairs",
        {"label": "paraphrase"},
        depth=2,
    ),
    Line(
        _("not a paraphrase"),
        "judged.non_paraphrase",
        "judged.total",
        "pairs",
        {"label": "different"},
        depth=2,
    ),
    Line(_("human agreement"), "judged.agreement", is_share=True),
    Line(_("After filtering"), depth=0),
    Line(_("kept"), "kept.total", "judged.total", "pairs", {"state": "kept"}),
    Line(_("human agreement"), "kept.agreement", is_share=True),
)


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


def rows(project: Project, funnels: list[Funnel]) -> list[Row]:
    """Return the lines; those of correction only if any candidates are corrected."""
    corrects = any(each.corrected for each in funnels)
    return [
        Row(line, tuple(_cell(project, line, each) for each in funnels) if line.figure else ())
        for line in LINES
        if corrects or not line.of_corrections
    ]


def _cell(project: Project, line: Line, funnel: Funnel) -> Cell:
    if line.of_corrections and not funnel.corrected:
        return Cell(None, None, "", "")
    number, page = attrgetter(line.figure)(funnel), _page(line, funnel)
    whole = attrgetter(line.of)(funnel) if line.of else 0
    return Cell(
        number=number,
        part=number / whole if whole else None,
        address=_address(project, page, line, funnel) if page and number else "",
        thread="" if line.is_share else panels.part(number, funnel.candidates),
    )


def _page(line: Line, funnel: Funnel) -> str:
    """Return the page that lists a figure: candidates that skip correction are listed as pairs."""
    if line.figure != "candidates":
        return line.page
    if not funnel.method:
        return ""
    return "answers" if funnel.corrected else "pairs"


def _address(project: Project, page: str, line: Line, funnel: Funnel) -> str:
    filters = line.filters | ({"method": funnel.method} if funnel.method else {})
    kind = ["correct"] if page == "answers" else []
    address = reverse(page, args=[project.public_id, *kind])
    return f"{address}?{urlencode(filters)}" if filters else address
