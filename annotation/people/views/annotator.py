"""The page of one annotator: figures, pace, latest answers and interventions."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.pairs.views.pairs import Voices, voices
from annotation.people.selectors import annotator as one_annotator
from annotation.people.selectors import annotators
from annotation.people.selectors.annotator import Answered, Stretch
from annotation.people.selectors.names import Naming
from annotation.projects import charts
from annotation.projects.charts import Panel, Tick
from annotation.projects.views import table_page, timeline
from annotation.stats.agreement import Estimate
from annotation.work import judge

HEIGHT = 70


@dataclass(frozen=True, slots=True)
class Line:
    """An answer with its sentences as diff pieces, and the other annotators' labels."""

    answered: Answered
    sentences: tuple[list[Piece], list[Piece]]
    voices: list[Voices]


@dataclass(frozen=True, slots=True)
class Row:
    """A period with its name in the table."""

    name: str
    stretch: Stretch


@dataclass(frozen=True, slots=True)
class Course:
    """The person's pace, as table rows and as two charts."""

    rows: list[Row]
    answers: Panel
    seconds: Panel | None
    ticks: list[Tick]


@gates.signed_in
@require_safe
def annotator(request: Request, project_id: uuid.UUID, user_id: uuid.UUID) -> HttpResponse:
    """Show the annotator; only managers see the actions."""
    member = gates.reader(request, project_id)
    person = find(member, user_id)
    steps = one_annotator.steps(person)
    frame = table_page.frame(member)
    context: dict[str, Any] = frame | {
        "person": person,
        "figures": annotators.of_member(person),
        "course": _course(person),
        "lines": [_line(each, frame["naming"]) for each in one_annotator.latest(person)],
        "names": {each.value: each.name for each in judge.choices(member.project)},
        "steps": steps,
        "one": one_annotator.one_person(person),
        "touched": one_annotator.touched(person),
        "is_self": person.pk == member.pk,
    }
    return render(request, "annotation/study/annotator.html", context)


def find(member: Membership, user_id: uuid.UUID) -> Membership:
    """Return the project member that a page is about. Raises Http404."""
    try:
        return one_annotator.find(member.project, user_id)
    except Membership.DoesNotExist as error:
        raise Http404 from error


def _line(answered: Answered, naming: Naming) -> Line:
    pair = answered.own.item
    return Line(
        answered=answered,
        sentences=differences.of(*pair.texts),
        voices=voices(answered.others, naming),
    )


def _course(person: Membership) -> Course | None:
    found = one_annotator.course(person)
    if found is None:
        return None
    periods, stretches = found
    begins = [timeline.moment(each.begins) for each in stretches]
    names = [timeline.name(each, periods.length) for each in begins]
    return Course(
        rows=[Row(name, each) for name, each in zip(names, stretches, strict=True) if each.answers],
        answers=charts.bars([each.answers for each in stretches], height=HEIGHT),
        seconds=_seconds(stretches),
        ticks=charts.ticks([timeline.word(each, periods) for each in begins]),
    )


def _seconds(stretches: list[Stretch]) -> Panel | None:
    known = [each.seconds for each in stretches if each.seconds is not None]
    if not known:
        return None
    estimates = [Estimate(each.seconds) for each in stretches]
    return charts.dots(estimates, charts.count_axis(known), height=HEIGHT)
