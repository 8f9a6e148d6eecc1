"""Lists for managers and researchers: corrections, items in progress, skipped items."""

import uuid
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Correction
from annotation.pairs import differences
from annotation.pairs.differences import Piece
from annotation.projects.forms.filters import METHODS, REASONS, CorrectionsForm, SkipsForm
from annotation.projects.views import table_page
from annotation.work.selectors import corrections as corrected
from annotation.work.selectors import leases as held
from annotation.work.selectors import skips as passed
from annotation.work.views import items


@dataclass(frozen=True, slots=True)
class Line:
    """A candidate in pieces, compared with its fix if there is one."""

    correction: Correction
    candidate: list[Piece]
    fix: list[Piece]


@gates.signed_in
@require_safe
def corrections(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List candidates that need correction, each with its outcome."""
    member = gates.reader(request, project_id)
    form = CorrectionsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, "annotation/study/corrections.html", context)
    rows = corrected.chosen(member.project, **form.wanted())
    page = corrected.page(rows, **form.place(1))
    context |= {
        "lines": [_line(correction) for correction in page.rows],
        "number": rows.count(),
        "links": table_page.links(request.GET, page),
        "methods": METHODS,
        "actions": items.ACTIONS,
    }
    return render(request, "annotation/study/corrections.html", context)


@gates.signed_in
@require_safe
def leases(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List items in progress, with annotator, start and end of the lease."""
    member = gates.reader(request, project_id)
    now = timezone.now()
    slots = [*held.judgments(member.project), *held.corrections(member.project)]
    context = table_page.frame(member) | {
        "now": now,
        "leases": [(slot, held.has_run_out(slot, now)) for slot in slots],
    }
    return render(request, "annotation/study/leases.html", context)


@gates.signed_in
@require_safe
def skips(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """List the items that are set aside, then all skips."""
    member = gates.reader(request, project_id)
    form = SkipsForm(request.GET)
    context: dict[str, Any] = table_page.frame(member) | {"form": form}
    if not form.is_valid():
        return table_page.refuse(request, "annotation/study/skips.html", context)
    rows = passed.chosen(member.project, **form.wanted())
    page = passed.page(rows, **form.place(1))
    context |= {
        "aside": passed.set_aside(member.project),
        "skips": page.rows,
        "number": rows.count(),
        "links": table_page.links(request.GET, page),
        "reasons": REASONS,
    }
    return render(request, "annotation/study/skips.html", context)


def _line(correction: Correction) -> Line:
    if not correction.text:
        return Line(correction, [Piece(correction.candidate.text, differs=False)], [])
    return Line(correction, *differences.of(correction.candidate.text, correction.text))
