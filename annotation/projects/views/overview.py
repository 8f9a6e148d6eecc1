"""The overview of a study: its stages, what managers have to do, agreement, latest answers."""

import hashlib
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from annotation import registry
from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.people.services import members
from annotation.projects.selectors import glance, over_time
from annotation.projects.selectors.glance import Glance
from annotation.projects.views import table_page
from annotation.quality.views import alerts
from annotation.studies import types
from annotation.studies.base import Study

FIGURES = "annotation/study/parts/figures.html"
MOST_NEEDS = 5


@gates.signed_in
@require_safe
def overview(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show how far a study is, or the next steps before the first answer."""
    member = gates.reader(request, project_id)
    members.note_opening(member)
    context = _figures(request, member)
    for add_context in registry.overview:
        context |= add_context(member.project)
    return render(request, "annotation/study/overview.html", context)


@gates.signed_in
@require_safe
def figures(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Return the figures for polling; 204 if the page shows them already."""
    context = _figures(request, gates.reader(request, project_id))
    if request.GET.get("digest") == context["digest"]:
        return HttpResponse(status=204)
    return render(request, "annotation/study/parts/polled.html", context)


def _figures(request: Request, member: Membership) -> dict[str, Any]:
    """Return the context; `digest` is a digest that identifies what the browser shows."""
    context = _context(member)
    html = render_to_string(FIGURES, context, request)
    digest = hashlib.sha256(html.encode()).hexdigest()[:16]
    return context | {"figures": html, "digest": digest}


def _context(member: Membership) -> dict[str, Any]:
    """Return what the page shows, in a number of queries that no size of a study changes."""
    project = member.project
    numbers = glance.of_projects([project])[project.pk]
    study = types.study_at(numbers)
    needs = alerts.of_member(member, study)
    course = study.course()
    pace = over_time.pace_of(project, course) if course else None
    context = table_page.frame(member) | {
        "glance": numbers,
        "state": _state(numbers),
        "next_step": _next_step(study),
        "stages": study.stages(pace),
        "needs": needs[:MOST_NEEDS],
        "more": needs[MOST_NEEDS:],
    }
    if numbers.is_young:
        return context | {"steps": study.steps(), "example": study.example()}
    return context | study.panes(course, context["naming"])


def _state(numbers: Glance) -> dict[str, str]:
    """Return the words and the colour of the chip that follows the name."""
    if not numbers.project.kinds:
        return {"words": _("Published elsewhere"), "colour": ""}
    if numbers.is_young:
        return {"words": _("Getting started"), "colour": "blue"}
    if numbers.all_is_answered:
        return {"words": _("All done"), "colour": "green"}
    if numbers.project.is_open:
        return {"words": _("Open"), "colour": "green"}
    return {"words": _("Closed"), "colour": ""}


def _next_step(study: Study) -> dict[str, str] | None:
    """Return the words and the address of the filled button of managers, if there is a step."""
    numbers, finish = study.glance, study.finish()
    if numbers.version:
        words, page = _("Release %(version)s") % {"version": numbers.version}, "releases"
    elif finish and numbers.all_is_answered:
        words, page = finish.button, finish.page
    elif numbers.kept.total:
        words, page = _("Draft a release"), "draft_release"
    else:
        return None
    return {"words": words, "address": reverse(page, args=[numbers.project.public_id])}
