"""The pairs of a study, and each of them with its history."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation import differences
from annotation.differences import Piece
from annotation.forms.dashboard import METHODS, REASONS, PairsForm
from annotation.models import Judgment, Project, SentencePair
from annotation.selectors.dashboard import pair as history
from annotation.selectors.dashboard import pairs as table
from annotation.selectors.dashboard.pair import Event, Whole
from annotation.views import gates, items, listing
from annotation.views.gates import Request

TEMPLATE = "annotation/pairs.html"
Pieces = tuple[list[Piece], list[Piece]]


@dataclass(frozen=True, slots=True)
class Voices:
    """Those who gave one answer."""

    answer: str
    judgments: list[Judgment]


@dataclass(frozen=True, slots=True)
class Line:
    """A pair in the table: its sentences in pieces, who said what, and how many are still to."""

    pair: SentencePair
    sentences: Pieces
    voices: list[Voices]
    missing: int


@gates.signed_in
@require_safe
def pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """The table: filters, an order, pages."""
    member = gates.reader(request, project_id)
    form = PairsForm(request.GET)
    context: dict[str, Any] = listing.frame(member) | {"form": form}
    if not form.is_valid():
        return listing.refuse(request, TEMPLATE, context)
    wanted = form.wanted()
    page = table.page(member.project, wanted, **form.place(form.columns()))
    context |= {
        "lines": [_line(pair, member.project) for pair in page.rows],
        "number": table.chosen(member.project, wanted).count(),
        "links": listing.links(request.GET, page),
        "methods": METHODS,
    }
    return render(request, TEMPLATE, context)


@gates.signed_in
@require_safe
def pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """One pair: where it came from, who said what and when."""
    member = gates.reader(request, project_id)
    try:
        whole = history.find(member.project, pair_id)
    except SentencePair.DoesNotExist as error:
        raise Http404 from error
    context = listing.frame(member) | _context(whole, member.project)
    return render(request, "annotation/pair.html", context)


def voices(given: list[Judgment], project: Project) -> list[Voices]:
    """Answers that count, by what they say, in the order of the scale's keys."""
    counted = [judgment for judgment in given if judgment.held_out_id is None]
    by_answer = [
        Voices(str(answer.name), [each for each in counted if each.label == answer.value])
        for answer in items.answers(project.max_label)
    ]
    return [each for each in by_answer if each.judgments]


def _line(pair: SentencePair, project: Project) -> Line:
    given: list[Judgment] = pair.answers  # type: ignore[attr-defined]
    counted = sum(judgment.held_out_id is None for judgment in given)
    return Line(
        pair=pair,
        sentences=differences.of(pair.sentence1.text, pair.sentence2.text),
        voices=voices(given, project),
        missing=0 if pair.known_label is not None else project.judgments_per_pair - counted,
    )


def _context(whole: Whole, project: Project) -> dict[str, Any]:
    pair, candidate = whole.pair, whole.pair.candidate
    return {
        "whole": whole,
        "pair": pair,
        "sentences": differences.of(pair.sentence1.text, pair.sentence2.text),
        "fix": differences.of(candidate.text, pair.sentence2.text),
        "names": {answer.value: answer.name for answer in items.answers(project.max_label)},
        "voices": voices(whole.answers, project),
        "history": [(event, _detail(event, project)) for event in whole.history],
        "methods": METHODS,
        "reasons": REASONS,
    }


def _detail(event: Event, project: Project) -> str:
    """In words: an answer, a reason, or what a corrector did."""
    if event.what == "judged":
        return items.name_of(int(event.detail), project.max_label)
    if event.what == "corrected":
        return str(items.ACTIONS.get(event.detail, ""))  # type: ignore[call-overload]
    return str(REASONS.get(event.detail, event.detail))
