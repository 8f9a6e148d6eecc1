"""The table of a project's annotators with their quality figures."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.people.selectors import annotators as selector
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.forms.filters import ANNOTATOR_ORDERS, AnnotatorsForm
from annotation.projects.views import table_page

TEMPLATE = "annotation/study/annotators.html"
# Agreement below one half is worse than a coin flip, so the scale starts there.
SCALE = Axis((0.5, 0.75, 1.0))
STATES: dict[str, Callable[[AnnotatorFigures], bool]] = {
    "": lambda person: bool(person.judgments or person.corrections),
    "flagged": lambda person: bool(person.flags),
    "paused": lambda person: person.paused_at is not None,
    "excluded": lambda person: person.excluded,
}
# Sort keys other than the name. Unknown values come last in both directions.
ORDERS: dict[str, Callable[[AnnotatorFigures], Any]] = {
    "corrections": lambda person: person.corrections,
    "judgments": lambda person: person.judgments,
    "seconds": lambda person: person.median_seconds,
    "agreement": lambda person: person.agreement,
    "known": lambda person: person.gold_share,
    "last_seen": lambda person: person.last_seen,
}


@dataclass(frozen=True, slots=True)
class Line:
    """A table row: an annotator, and their agreement as a dot on SCALE."""

    person: AnnotatorFigures
    dot: Dot | None


@dataclass(frozen=True, slots=True)
class Heading:
    """A column heading: the address that a click opens, and the current sort direction."""

    name: str
    address: str
    sorted: str
    key: str


@gates.signed_in
@require_safe
def annotators(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the table, filtered and sorted as requested."""
    member = gates.reader(request, project_id)
    form = AnnotatorsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    asked = form.cleaned_data
    context |= {
        "lines": [
            Line(person, charts.across(person.confusion.accuracy, SCALE))
            for person in chosen(context["naming"], asked)
        ],
        "headings": [_heading(key, asked) for key in ANNOTATOR_ORDERS],
        "filters": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, TEMPLATE, context)


def chosen(naming: Naming, asked: dict[str, Any]) -> list[AnnotatorFigures]:
    """Return the annotators in the requested state and order; ties are sorted by name."""

    def name(person: AnnotatorFigures) -> str:
        return naming.order(person.user)

    key = ORDERS.get(asked["order"], name)
    people = [each for each in selector.figures(naming.project) if STATES[asked["state"]](each)]
    people.sort(key=name)
    known = [each for each in people if key(each) is not None]
    known.sort(key=key, reverse=asked["down"])
    return known + [each for each in people if key(each) is None]


def _heading(key: str, asked: dict[str, Any]) -> Heading:
    is_current = (asked["order"] or "name") == key
    now = ("descending" if asked["down"] else "ascending") if is_current else ""
    query = {"order": key} | ({"down": "1"} if now == "ascending" else {})
    if asked["state"]:
        query["state"] = asked["state"]
    return Heading(str(ANNOTATOR_ORDERS[key]), f"?{urlencode(query)}", now, key)
