"""Hidden pairs whose answer is known: how people did on each, and more of them."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation import differences, known_lines
from annotation.differences import Piece
from annotation.forms.known_pairs import HEADER, KnownPairsForm
from annotation.labelled_lines import Report
from annotation.models import Membership, Project
from annotation.selectors import known
from annotation.selectors.known import KnownPair
from annotation.services import known_pairs as service
from annotation.views import gates
from annotation.views.gates import Request
from annotation.views.study import labelled_files, listing
from annotation.views.work import items

TEMPLATE = "annotation/setup/known_pairs.html"
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A hidden pair in the table."""

    known: KnownPair
    sentences: tuple[list[Piece], list[Piece]]


@gates.signed_in
@require_safe
def known_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """The table, those that are missed most first, and the form that adds to it."""
    form = KnownPairsForm(label_suffix="", initial={"lines": HEADER})
    return _page(request, gates.manager(request, project_id), form)


@gates.signed_in
@require_POST
def add_known_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add what can be read; the other lines are listed with their reasons."""
    member = gates.manager(request, project_id)
    form = KnownPairsForm(request.POST, request.FILES, label_suffix="")
    if labelled_files.bring(request, form, partial(_added, request, member.project, form)):
        return redirect("known_pairs", project_id)
    return _page(request, member, form)


def _added(request: Request, project: Project, form: KnownPairsForm) -> Report:
    lines = known_lines.read(*form.stream_of(), max_label=project.max_label)
    return service.add(project, lines, by=request.user)


def _page(request: Request, member: Membership, form: KnownPairsForm) -> HttpResponse:
    context: dict[str, Any] = listing.frame(member) | {
        "lines": [_line(each) for each in known.of_project(member.project)],
        "names": _names(member.project),
        "answers": items.answers(member.project.max_label),
        "form": form,
    }
    return render(request, TEMPLATE, context, status=UNPROCESSABLE if form.is_bound else 200)


def _line(each: KnownPair) -> Line:
    pair = each.pair
    return Line(each, differences.of(pair.sentence1.text, pair.sentence2.text))


def _names(project: Project) -> dict[int, Any]:
    return {answer.value: answer.name for answer in items.answers(project.max_label)}
