"""The people of a project: who needs a look first, or all their figures in a table."""

import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import by_person
from annotation.agreement.by_person import Effect
from annotation.models import Membership, Project, Role
from annotation.people.selectors import members, watch
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.names import Naming
from annotation.people.selectors.risk import Level, Sign
from annotation.people.selectors.watch import Watched
from annotation.people.words import COLOURS, LEVELS, standing_of, work_of
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot
from annotation.projects.forms.filters import ANNOTATOR_ORDERS, PEOPLE_VIEWS, PeopleForm
from annotation.projects.views import table_page
from annotation.stats.reissue import PARADE
from annotation.templatetags.figures import day
from annotation.work import kinds
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS

TEMPLATE = "annotation/study/people.html"
SCALE = Axis((0.0, 0.5, 1.0))
# Of how many people the list tells what an exclusion would change: each takes a statement.
MOST_EFFECTS = 3
# Columns that a phone has no room for, besides the numbers of answers where people judge.
BEYOND = ("seconds", "known", "last_seen")
OF_JUDGING = ("seconds", "distance", "agreement", "kappa", "kappa_others")
WITH_OTHERS = ("agreement", "kappa_others")
GROUPS: dict[Level, str | Promise] = {
    **LEVELS,
    Level.FINE: gettext_lazy("No sign of trouble"),
    Level.HANDLED: gettext_lazy("Handled"),
}
VIEWS: dict[str, Callable[[Watched], bool]] = {
    "": lambda _person: True,
    "look": lambda person: person.risk.level is Level.LOOK,
    "flagged": lambda person: bool(person.figures.flags),
    "paused": lambda person: person.figures.paused_at is not None,
    "excluded": lambda person: person.figures.excluded,
    "managers": lambda person: person.figures.role == Role.MANAGER,
}
# Views that are offered only if they list people.
IF_ANY = ("excluded",)


def _number_of(kind: str, person: AnnotatorFigures) -> int:
    return person.answers[kind]


# Sort keys other than the name. Unknown values come last in both directions.
ORDERS: dict[str, Callable[[AnnotatorFigures], Any]] = {
    **{kind.answers: partial(_number_of, kind.name) for kind in KINDS.values()},
    "seconds": lambda person: person.median_seconds,
    "distance": lambda person: person.distance,
    "agreement": lambda person: person.agreement,
    "kappa": lambda person: person.kappa,
    "kappa_others": lambda person: person.kappa_with_others,
    "known": lambda person: person.gold_share,
    "last_seen": lambda person: person.last_seen,
}


@dataclass(frozen=True, slots=True)
class View:
    """A part of the list: its address, how many people it has, and whether it is shown."""

    name: str | Promise
    address: str
    number: int
    is_current: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A person in the list; `effect` is what an exclusion would change, where the list tells it."""

    person: Watched
    place: Membership
    work: str
    standing: str
    colour: str
    dot: Dot | None
    is_apart: bool
    last_seen: str
    effect: Effect | None

    @property
    def answers(self) -> int:
        return sum(self.person.figures.answers.values())

    @property
    def made(self) -> list[tuple[str, int]]:
        """Return the answers of other kinds than judgments, which have their own columns."""
        numbers = self.person.figures.answers
        return [
            (kind.answers, numbers[kind.name])
            for kind in KINDS.values()
            if not kind.has_consensus and numbers[kind.name]
        ]


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of figures: numbers of answers, and agreement as a dot on SCALE."""

    person: AnnotatorFigures
    numbers: list[int]
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
def people(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    form = PeopleForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    everyone, state = watch.everyone(context["naming"]), form.cleaned_data["state"]
    chosen = [person for person in everyone if VIEWS[state](person)]
    context |= {
        "views": list(_views(everyone, form.cleaned_data)),
        "filters": f"?{urlencode({'state': state})}" if state else "",
    }
    if form.shows_all:
        context |= _figures(context["naming"], chosen, form.cleaned_data)
        return render(request, "annotation/study/people_figures.html", context)
    context["groups"] = list(_groups(member, chosen))
    return render(request, TEMPLATE, context)


def annotators_in_order(naming: Naming, values: dict[str, Any]) -> list[AnnotatorFigures]:
    """Return the people with answers in the requested view and order, for a file."""
    everyone = [person for person in watch.everyone(naming) if VIEWS[values["state"]](person)]
    return _in_order(naming, everyone, values)


def _views(everyone: list[Watched], values: dict[str, Any]) -> Iterable[View]:
    more = {"figures": values["figures"]} if values["figures"] else {}
    for name, words in PEOPLE_VIEWS.items():
        number, is_current = sum(map(VIEWS[name], everyone)), name == values["state"]
        if number or is_current or name not in IF_ANY:
            query = ({"state": name} if name else {}) | more
            yield View(words, f"?{urlencode(query)}", number, is_current)


def _groups(reader: Membership, everyone: list[Watched]) -> Iterable[tuple[Any, list[Row]]]:
    """Yield the titles of the levels with their people."""
    places = {member.pk: member for member in members.of_project(reader.project)}
    left = MOST_EFFECTS if reader.role == Role.MANAGER else 0
    for level, group in groupby(everyone, lambda person: person.risk.level):
        rows = []
        for person in group:
            place = places[person.figures.membership.pk]
            tells_effect = level is Level.LOOK and left > 0 and person.figures.judgments > 0
            left -= tells_effect
            effect = by_person.without(reader.project, place) if tells_effect else None
            rows.append(_row(person, place, reader, effect))
        yield GROUPS[level], rows


def _row(person: Watched, place: Membership, reader: Membership, effect: Effect | None) -> Row:
    manages = reader.role == Role.MANAGER
    return Row(
        person=person,
        place=place,
        work=work_of(place),
        standing=standing_of(place, reader.project) if manages else "",
        colour=COLOURS.get(person.risk.level, ""),
        dot=charts.horizontal_dot(person.figures.comparison.with_others.accuracy, SCALE),
        is_apart=any(fact.sign is Sign.APART for fact in person.risk.facts),
        last_seen=_moment(person.figures.last_seen),
        effect=effect if effect and effect.pairs else None,
    )


def _moment(seen: Any) -> str:
    """Return the time of a moment of today, else its day."""
    if seen is None:
        return ""
    local, today = timezone.localtime(seen), timezone.localdate()
    if local.date() == today:
        return date_format(local, "TIME_FORMAT")
    return day(seen)


def _figures(naming: Naming, chosen: list[Watched], values: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the table of all figures."""
    people = _in_order(naming, chosen, values)
    works = _works_of(naming.project, people)
    columns = _columns(naming.project, works, people)
    counts = [kind.answers for kind in works]
    return {
        "lines": [_line(person, works) for person in people],
        "rules": PARADE,
        "beyond": [*BEYOND, *counts] if naming.project.judges else BEYOND,
        "columns": columns,
        "headings": [_heading(key, values) for key in columns],
    }


def _in_order(
    naming: Naming, chosen: Iterable[Watched], values: dict[str, Any]
) -> list[AnnotatorFigures]:
    """Return those with answers in the requested order; ties are sorted by name."""

    def name(person: AnnotatorFigures) -> str:
        return naming.order(person.user)

    key = ORDERS.get(values["order"], name)
    people = [
        person.figures
        for person in chosen
        if values["state"] or any(person.figures.answers.values())
    ]
    people.sort(key=name)
    ordered = [person for person in people if key(person) is not None]
    ordered.sort(key=key, reverse=values["down"])
    return ordered + [person for person in people if key(person) is None]


def _works_of(project: Project, people: list[AnnotatorFigures]) -> list[Kind]:
    """Return the kinds of work that are counted, without those that none of the people did."""
    return [
        kind
        for kind in kinds.of_project(project)
        if kind.has_consensus or any(person.answers[kind.name] for person in people)
    ]


def _columns(project: Project, works: list[Kind], people: list[AnnotatorFigures]) -> list[str]:
    """Return the columns by their sort keys, without those of work that the project lacks."""
    hidden = {kind.answers for kind in KINDS.values()} - {kind.answers for kind in works}
    if not project.judges:
        hidden.update(OF_JUDGING)
    hidden.update(WITH_OTHERS if project.scheme.compares_by_distance else ("distance",))
    if not project.scheme.decides:
        hidden.add("kappa")
    if not any(person.gold_given for person in people):
        hidden.add("known")
    return [key for key in ANNOTATOR_ORDERS if key not in hidden]


def _line(person: AnnotatorFigures, works: list[Kind]) -> Line:
    numbers = [person.answers[kind.name] for kind in works]
    return Line(
        person, numbers, charts.horizontal_dot(person.comparison.with_others.accuracy, SCALE)
    )


def _heading(key: str, values: dict[str, Any]) -> Heading:
    is_current = (values["order"] or "name") == key
    direction = ("descending" if values["down"] else "ascending") if is_current else ""
    query = {"figures": "all", "order": key} | ({"down": "1"} if direction == "ascending" else {})
    if values["state"]:
        query["state"] = values["state"]
    return Heading(str(ANNOTATOR_ORDERS[key]), f"?{urlencode(query)}", direction, key)
