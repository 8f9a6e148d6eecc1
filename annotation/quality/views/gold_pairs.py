"""Manager page for gold pairs: results for each pair, and an import form."""

import uuid
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.pairs import differences, uploads
from annotation.pairs.differences import Piece
from annotation.projects.views import table_page
from annotation.quality import gold_lines
from annotation.quality.forms.gold_pairs import HEADER, GoldPairsForm
from annotation.quality.selectors import gold_pairs as selector
from annotation.quality.selectors.gold_pairs import GoldPair
from annotation.quality.services import gold_pairs as service
from annotation.work import judge
from generation.records import Report

TEMPLATE = "annotation/setup/gold_pairs.html"
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A gold pair in the table."""

    known: GoldPair
    sentences: tuple[list[Piece], list[Piece]]


@gates.signed_in
@require_safe
def gold_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the table, most missed pairs first, and the import form."""
    form = GoldPairsForm(label_suffix="", initial={"lines": HEADER})
    return _page(request, gates.manager(request, project_id), form)


@gates.signed_in
@require_POST
def add_gold_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Add the valid lines; list the others with their errors."""
    member = gates.manager(request, project_id)
    form = GoldPairsForm(request.POST, request.FILES, label_suffix="")
    if uploads.bring(request, form, partial(_added, request, member.project, form)):
        return redirect("gold_pairs", project_id)
    return _page(request, member, form)


def _added(request: Request, project: Project, form: GoldPairsForm) -> Report:
    lines = gold_lines.read(*form.stream_of(), max_label=project.max_label)
    return service.add(project, lines, by=request.user)


def _page(request: Request, member: Membership, form: GoldPairsForm) -> HttpResponse:
    context: dict[str, Any] = table_page.frame(member) | {
        "lines": [_line(each) for each in selector.of_project(member.project)],
        "names": _names(member.project),
        "answers": judge.choices(member.project),
        "form": form,
    }
    return render(request, TEMPLATE, context, status=UNPROCESSABLE if form.is_bound else 200)


def _line(each: GoldPair) -> Line:
    pair = each.pair
    return Line(each, differences.of(pair.sentence1.text, pair.sentence2.text))


def _names(project: Project) -> dict[int, Any]:
    return {answer.value: answer.name for answer in judge.choices(project)}
