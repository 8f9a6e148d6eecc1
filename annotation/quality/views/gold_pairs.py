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
from annotation.pairs import differences, labelled_lines, uploads
from annotation.pairs.differences import Piece
from annotation.projects.views import table_page
from annotation.quality.forms import HEADER, GoldPairsForm
from annotation.quality.selectors import answers
from annotation.quality.services import gold_pairs as service
from annotation.work import judge
from generation.records import Report

TEMPLATE = "annotation/setup/gold_pairs.html"
UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Line:
    """A gold pair in the table."""

    pair: Any
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
    if uploads.store(request, form, partial(_added, request, member.project, form)):
        return redirect("gold_pairs", project_id)
    return _page(request, member, form)


def _added(request: Request, project: Project, form: GoldPairsForm) -> Report:
    lines = labelled_lines.gold_pairs(*form.stream_of(), max_label=project.max_label)
    return service.add(project, lines, by=request.user)


def _page(request: Request, member: Membership, form: GoldPairsForm) -> HttpResponse:
    choices = judge.choices(member.project)
    context: dict[str, Any] = table_page.frame(member) | {
        "lines": [_line(pair) for pair in answers.gold_pairs(member.project)],
        "names": {answer.value: answer.name for answer in choices},
        "answers": choices,
        "form": form,
    }
    return render(request, TEMPLATE, context, status=UNPROCESSABLE if form.is_bound else 200)


def _line(pair: Any) -> Line:
    return Line(pair, differences.of(pair.sentence1.text, pair.sentence2.text))
