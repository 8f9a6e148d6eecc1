"""The table of pairs."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import SentencePair
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.pairs.selectors import pairs as table
from annotation.pairs.selectors.pairs import Answer
from annotation.people.selectors.names import Naming
from annotation.projects.forms.filters import METHODS, PairsForm
from annotation.projects.views import table_page
from annotation.work import judge

TEMPLATE = "annotation/study/pairs.html"
Pieces = tuple[list[Piece], list[Piece]]


@dataclass(frozen=True, slots=True)
class Voices:
    """The people who gave one answer."""

    answer: str
    people: list[str]


@dataclass(frozen=True, slots=True)
class Line:
    """A pair in the table: sentences in pieces, answers, and number of missing answers."""

    pair: SentencePair
    sentences: Pieces
    voices: list[Voices]
    missing: int


@gates.signed_in
@require_safe
def pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the table of pairs."""
    member = gates.reader(request, project_id)
    form = PairsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, TEMPLATE, context)
    wanted = form.wanted()
    place = form.place(form.columns())
    page = table.page(member.project, wanted, after=place["after"], before=place["before"])
    context |= {
        "lines": [_line(pair, context["naming"]) for pair in page.rows],
        "number": table.chosen(member.project, wanted).count(),
        "are_disputed": wanted.state == "not_kept" and not wanted.hidden,
        "links": table_page.links(request.GET, page),
        "methods": METHODS,
    }
    return render(request, TEMPLATE, context)


def voices(given: list[Answer], naming: Naming) -> list[Voices]:
    """Group the answers that count by label, in the order of the scale's keys."""
    counted = [answer for answer in given if answer.counts]
    by_answer = [
        Voices(str(each.name), [_name(one, naming) for one in counted if one.label == each.value])
        for each in judge.choices(naming.project)
    ]
    return [each for each in by_answer if each.people]


def _name(answer: Answer, naming: Naming) -> str:
    return naming.of_id(answer.person, answer.username)


def _line(pair: Any, naming: Naming) -> Line:
    """Return the line of a selector row, which has its `answers`."""
    counted = sum(answer.counts for answer in pair.answers)
    is_over = pair.gold_label is not None or hasattr(pair, "consensus")
    return Line(
        pair=pair,
        sentences=differences.of(pair.sentence1.text, pair.sentence2.text),
        voices=voices(pair.answers, naming),
        missing=0 if is_over else naming.project.judgments_per_pair - counted,
    )
