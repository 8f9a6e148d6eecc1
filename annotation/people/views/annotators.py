"""The table of a project's annotators with their quality figures, and the page of one of them."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project, Slot
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.pairs.views import Voices, voices
from annotation.people.selectors import annotator as one_annotator
from annotation.people.selectors import annotators as selector
from annotation.people.selectors.annotator import Answered, Stretch
from annotation.people.selectors.annotators import AnnotatorFigures
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Axis, Dot, Panel, Tick
from annotation.projects.forms.filters import ANNOTATOR_ORDERS, AnnotatorsForm
from annotation.projects.views import table_page, timeline
from annotation.stats.agreement import Estimate
from annotation.stats.reissue import PARADE
from annotation.work import judge, kinds
from annotation.work.contract import Kind
from annotation.work.kinds import KINDS

HEIGHT = 70
TEMPLATE = "annotation/study/annotators.html"
SCALE = Axis((0.0, 0.5, 1.0))
# Columns that a phone has no room for, besides the numbers of answers where people judge.
BEYOND = ("seconds", "known", "last_seen")
OF_JUDGING = ("seconds", "agreement", "kappa", "kappa_others")
STATES: dict[str, Callable[[AnnotatorFigures], bool]] = {
    "": lambda person: any(person.answers.values()),
    "flagged": lambda person: bool(person.flags),
    "paused": lambda person: person.paused_at is not None,
    "excluded": lambda person: person.excluded,
}


def _number_of(kind: str, person: AnnotatorFigures) -> int:
    return person.answers[kind]


# Sort keys other than the name. Unknown values come last in both directions.
ORDERS: dict[str, Callable[[AnnotatorFigures], Any]] = {
    **{kind.answers: partial(_number_of, kind.name) for kind in KINDS.values()},
    "seconds": lambda person: person.median_seconds,
    "agreement": lambda person: person.agreement,
    "kappa": lambda person: person.kappa,
    "kappa_others": lambda person: person.kappa_with_others,
    "known": lambda person: person.gold_share,
    "last_seen": lambda person: person.last_seen,
}


@dataclass(frozen=True, slots=True)
class Line:
    """A table row: an annotator, their numbers of answers, and agreement as a dot on SCALE."""

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


@dataclass(frozen=True, slots=True)
class Shown:
    """An answer with its sentences as diff pieces, and the other annotators' labels."""

    answered: Answered
    sentences: tuple[list[Piece], list[Piece]]
    voices: list[Voices]


@dataclass(frozen=True, slots=True)
class Written:
    """An answer without others: the sentences, and what the person made of them, as diff pieces."""

    slot: Slot
    sentences: list[list[Piece]]
    language: str
    answer: str | Promise


@dataclass(frozen=True, slots=True)
class Course:
    """The person's pace, as table rows with the names of their periods, and as two charts."""

    rows: list[tuple[str, Stretch]]
    answers: Panel
    seconds: Panel | None
    ticks: list[Tick]


@gates.signed_in
@require_safe
def annotators(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    form = AnnotatorsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    values = form.cleaned_data
    people = annotators_in_order(context["naming"], values)
    works = _works_of(member.project, people)
    columns = _columns(member.project, works, people)
    counts = [kind.answers for kind in works]
    context |= {
        "lines": [_line(person, works) for person in people],
        "rules": PARADE,
        "beyond": [*BEYOND, *counts] if member.project.judges else BEYOND,
        "columns": columns,
        "headings": [_heading(key, values) for key in columns],
        "filters": f"?{request.GET.urlencode()}" if request.GET else "",
    }
    return render(request, TEMPLATE, context)


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
    if not any(person.gold_given for person in people):
        hidden.add("known")
    return [key for key in ANNOTATOR_ORDERS if key not in hidden]


def _line(person: AnnotatorFigures, works: list[Kind]) -> Line:
    numbers = [person.answers[kind.name] for kind in works]
    return Line(person, numbers, charts.horizontal_dot(person.confusion.accuracy, SCALE))


def annotators_in_order(naming: Naming, values: dict[str, Any]) -> list[AnnotatorFigures]:
    """Return the annotators in the requested state and order; ties are sorted by name."""

    def name(person: AnnotatorFigures) -> str:
        return naming.order(person.user)

    key = ORDERS.get(values["order"], name)
    is_asked_for = STATES[values["state"]]
    people = [person for person in selector.figures(naming.project) if is_asked_for(person)]
    people.sort(key=name)
    ordered = [person for person in people if key(person) is not None]
    ordered.sort(key=key, reverse=values["down"])
    return ordered + [person for person in people if key(person) is None]


@gates.signed_in
@require_safe
def annotator(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Show the annotator; only managers see the actions."""
    member = gates.reader(request, project_id)
    person = find(member, user_id)
    frame, figures = table_page.frame(member), selector.of_member(person)
    context: dict[str, Any] = frame | {
        "person": person,
        "figures": figures,
        "course": _course(person),
        "lines": [
            _shown_answer(row, frame["naming"]) for row in one_annotator.latest_judgments(person)
        ],
        "works": [(kind, figures.answers[kind.name]) for kind in _listed_kinds(member.project)],
        "written": [_written_answer(slot) for slot in one_annotator.latest_written_answers(person)],
        "names": {choice.value: choice.name for choice in judge.choices(member.project)},
        "steps": person.interventions.select_related("by").order_by("-pk"),
        "one": one_annotator.other_accounts(person),
        "touched": one_annotator.touched_answers(person),
        "is_self": person.pk == member.pk,
    }
    return render(request, "annotation/study/annotator.html", context)


def _listed_kinds(project: Project) -> list[Kind]:
    """Return the kinds of work whose answers are listed one by one."""
    return [kind for kind in kinds.of_project(project) if not kind.has_consensus]


def find(member: Membership, user_id: uuid.UUID) -> Membership:
    """Return the project member that a page is about. Raises Http404."""
    members = Membership.objects.select_related("project", "user")
    return get_object_or_404(members, project=member.project, user__public_id=user_id)


def _heading(key: str, values: dict[str, Any]) -> Heading:
    is_current = (values["order"] or "name") == key
    direction = ("descending" if values["down"] else "ascending") if is_current else ""
    query = {"order": key} | ({"down": "1"} if direction == "ascending" else {})
    if values["state"]:
        query["state"] = values["state"]
    return Heading(str(ANNOTATOR_ORDERS[key]), f"?{urlencode(query)}", direction, key)


def _shown_answer(answered: Answered, naming: Naming) -> Shown:
    pair = answered.own.item
    return Shown(
        answered=answered,
        sentences=differences.pieces(*pair.texts),
        voices=voices(answered.others, naming),
    )


def _written_answer(slot: Slot) -> Written:
    kind = KINDS[slot.kind]
    texts = kind.sentences(slot.item)
    if slot.text and not kind.revises:
        texts = (*texts, slot.text)
    sentences = [[Piece(text, differs=False)] for text in texts]
    if slot.text and kind.revises:
        sentences[-1:] = differences.pieces(texts[-1], slot.text)
    return Written(slot, sentences, kind.language(slot.item), kind.name_of(slot))


def _course(person: Membership) -> Course | None:
    course = one_annotator.course(person)
    if course is None:
        return None
    periods, stretches = course
    begins = [timeline.moment(stretch.begins) for stretch in stretches]
    names = [timeline.period_name(begin, periods.length) for begin in begins]
    return Course(
        rows=[row for row in zip(names, stretches, strict=True) if row[1].answers],
        answers=charts.bars([stretch.answers for stretch in stretches], height=HEIGHT),
        seconds=_seconds(stretches),
        ticks=charts.ticks([timeline.axis_label(begin, periods) for begin in begins]),
    )


def _seconds(stretches: list[Stretch]) -> Panel | None:
    measured = [stretch.seconds for stretch in stretches if stretch.seconds is not None]
    if not measured:
        return None
    estimates = [Estimate(stretch.seconds) for stretch in stretches]
    return charts.dots(estimates, charts.count_axis(measured), height=HEIGHT)
