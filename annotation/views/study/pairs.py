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
from annotation.forms.verdicts import VERDICTS, AdjudicationForm
from annotation.models import Project, SentencePair
from annotation.selectors import verdicts
from annotation.selectors.dashboard import pair as history
from annotation.selectors.dashboard import pairs as table
from annotation.selectors.dashboard.pair import Event, Whole
from annotation.selectors.dashboard.pairs import Answer
from annotation.views import gates
from annotation.views.gates import Request
from annotation.views.study import listing
from annotation.views.work import items

TEMPLATE = "annotation/study/pairs.html"
Pieces = tuple[list[Piece], list[Piece]]


@dataclass(frozen=True, slots=True)
class Voices:
    """Those who gave one answer."""

    answer: str
    people: list[str]


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
    place = form.place(form.columns())
    page = table.page(member.project, wanted, after=place["after"], before=place["before"])
    context |= {
        "lines": [_line(pair, member.project) for pair in page.rows],
        "number": table.chosen(member.project, wanted).count(),
        "are_disputed": wanted.state == "not_kept" and not wanted.hidden,
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
    return render(request, "annotation/study/pair.html", context)


def voices(given: list[Answer], project: Project) -> list[Voices]:
    """Answers that count, by what they say, in the order of the scale's keys."""
    counted = [answer for answer in given if answer.counts]
    by_answer = [
        Voices(str(each.name), [one.person for one in counted if one.label == each.value])
        for each in items.answers(project.max_label)
    ]
    return [each for each in by_answer if each.people]


def _line(pair: Any, project: Project) -> Line:
    """A row of the selector, which bears its `answers`."""
    counted = sum(answer.counts for answer in pair.answers)
    is_over = pair.known_label is not None or hasattr(pair, "consensus")
    return Line(
        pair=pair,
        sentences=differences.of(pair.sentence1.text, pair.sentence2.text),
        voices=voices(pair.answers, project),
        missing=0 if is_over else project.judgments_per_pair - counted,
    )


def _context(whole: Whole, project: Project) -> dict[str, Any]:
    pair, candidate = whole.pair, whole.pair.candidate
    return {
        "whole": whole,
        "pair": pair,
        "sentences": differences.of(pair.sentence1.text, pair.sentence2.text),
        "fix": differences.of(candidate.text, pair.sentence2.text),
        "names": {answer.value: answer.name for answer in items.answers(project.max_label)},
        "history": [(event, _detail(event, project)) for event in whole.history],
        "methods": METHODS,
        "reasons": REASONS,
    } | _verdicts(whole)


def _verdicts(whole: Whole) -> dict[str, Any]:
    """The rounds of a pair, and what experts said of it."""
    said = verdicts.adjudications(whole.pair)
    decided = getattr(whole.pair, "consensus", None)
    return {
        "rounds": verdicts.rounds(whole.pair, whole.slots),
        "adjudications": [(each, VERDICTS[each.label]) for each in said],
        "is_disputed": decided is not None and not decided.kept,
        "adjudication": AdjudicationForm(label_suffix=""),
    }


def _detail(event: Event, project: Project) -> str:
    """In words: an answer, a reason, or what a corrector did."""
    if event.what == "judged":
        return items.name_of(int(event.detail), project.max_label)
    if event.what == "corrected":
        return str(items.ACTIONS.get(event.detail, ""))
    return str(REASONS.get(event.detail, event.detail))
