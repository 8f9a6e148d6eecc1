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
from annotation.models import Membership, Project, Translation
from annotation.pairs import rows
from annotation.people.selectors.names import Naming
from annotation.people.services import members
from annotation.projects.selectors import glance, latest, over_time, progress
from annotation.projects.selectors.glance import Glance
from annotation.projects.selectors.over_time import Course
from annotation.projects.views import results, stages, steps, table_page
from annotation.quality.views import alerts
from annotation.stats.agreement import human, krippendorff_alpha
from annotation.translations.selectors import figures as translated
from annotation.work import kinds

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
    needs = alerts.of_member(member, numbers)
    course = _course(project)
    pace = over_time.pace_of(project, course) if course else None
    context = table_page.frame(member) | {
        "glance": numbers,
        "state": _state(numbers),
        "next_step": _next_step(numbers),
        "stages": stages.of_study(numbers, pace),
        "needs": needs[:MOST_NEEDS],
        "more": needs[MOST_NEEDS:],
    }
    if numbers.is_young:
        return context | {"steps": steps.of_study(numbers), "example": steps.example_of(project)}
    if project.translates:
        return context | _of_translations(numbers, course)
    if project.judges:
        return context | _of_judgments(numbers, course, context["naming"])
    works = kinds.of_project(project)
    answers = [(kind, kind.title_in(project), progress.by_answer(project, kind)) for kind in works]
    return context | {"answers": answers}


def _state(numbers: Glance) -> dict[str, str]:
    """Return the words and the colour of the chip that follows the name."""
    if numbers.is_young:
        return {"words": _("Getting started"), "colour": "blue"}
    if numbers.all_is_answered:
        return {"words": _("All done"), "colour": "green"}
    if numbers.project.is_open:
        return {"words": _("Open"), "colour": "green"}
    return {"words": _("Closed"), "colour": ""}


def _next_step(numbers: Glance) -> dict[str, str] | None:
    """Return the words and the address of the filled button of managers, if there is a step."""
    project = numbers.project
    if numbers.version:
        words, page = _("Release %(version)s") % {"version": numbers.version}, "releases"
    elif project.translates and numbers.all_is_answered:
        words, page = _("Deliver"), "deliver"
    elif numbers.kept.total:
        words, page = _("Draft a release"), "draft_release"
    else:
        return None
    return {"words": words, "address": reverse(page, args=[project.public_id])}


def _course(project: Project) -> Course | None:
    """Return the course of the first kind of work that has answers; judgments come first."""
    if project.judges:
        return over_time.of_project(project)
    courses = (over_time.of_answers(project, kind) for kind in project.kinds)
    return next(filter(None, courses), None)


def _of_judgments(numbers: Glance, course: Course | None, naming: Naming) -> dict[str, Any]:
    project, votes = numbers.project, numbers.votes
    agreement, exclusions = human(votes), latest.exclusions(project)
    return {
        "agreement": agreement,
        "alpha": krippendorff_alpha(votes),
        "change": results.change_by_exclusion(exclusions, agreement.value, naming),
        "labels": results.labels(numbers.kept),
        "grades": results.grades(project, votes) if project.max_label > 1 else None,
        "course": results.decided_pairs(course, numbers.pairs, exclusions) if course else None,
        "latest": [rows.pair_row(pair, project) for pair in latest.decided_pairs(project)],
    }


def _of_translations(numbers: Glance, course: Course | None) -> dict[str, Any]:
    project, sentences = numbers.project, numbers.items[Translation.KIND].number
    study = translated.read(project)
    return {
        "plan": study.plan,
        "languages": [study.plan.source_language, study.plan.language],
        "errors": translated.of_study(study),
        "course": results.translations(course, sentences) if course else None,
        "looked": results.looked(study),
        "latest_translations": results.latest_translations(study, latest.translations(project)),
    }
