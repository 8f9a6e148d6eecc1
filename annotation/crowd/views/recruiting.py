"""Manager pages of recruiting: links, and the report of time and pay."""

import uuid
from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import handed_out
from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.crowd import selectors, services
from annotation.crowd.arrival import link_with_parameters
from annotation.crowd.forms import RecruitmentForm
from annotation.crowd.report import Line, report
from annotation.models import Platform, Project
from annotation.projects.views import table_page
from annotation.work import kinds
from common.spreadsheets import Cell

COUNTS = " ".join(kind.answers for kind in kinds.KINDS.values())
COLUMNS = (
    f"name platform participant_id study_id session_id joined_at finished_at outcome {COUNTS}"
    " least_answers minutes answers_per_hour pay currency pay_per_hour same_browser_as"
)


@gates.signed_in
@never_cache
@require_safe
def recruiting(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    handed_out.forget(request)
    offered = {"platform": Platform.PROLIFIC, "kinds": kinds.recruited(project)}
    return _page(request, project, RecruitmentForm(initial=offered, project=project))


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def recruit_people(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Create a link, or show the one that this session keeps, with its parameters."""
    project = gates.manager(request, project_id).project
    if request.method != "POST":
        return _show_link(request, project)
    form = RecruitmentForm(request.POST, project=project)
    if not form.is_valid():
        return _page(request, project, form, status=UNPROCESSABLE)
    recruitment, secret = services.create(project, by=request.user, **form.offer())
    return handed_out.keep(request, str(recruitment.public_id), secret)


def _show_link(request: Request, project: Project) -> HttpResponse:
    if not (kept := handed_out.kept(request)):
        return redirect("recruiting", project.public_id)
    public_id, secret = kept
    recruitment = project.recruitments.get(public_id=public_id)
    address = request.build_absolute_uri(reverse("recruit", args=[secret]))
    context = {
        "project": project,
        "manages": True,
        "recruitment": recruitment,
        "platform": Platform(recruitment.platform).label,
        "link": link_with_parameters(address, recruitment.platform),
        "kinds": [kind.title_in(project) for kind in kinds.named(recruitment.kinds)],
    }
    return render(request, "annotation/crowd/link.html", context)


@gates.signed_in
@require_POST
def revoke_recruitment(
    request: Request, project_id: uuid.UUID, recruitment_id: uuid.UUID
) -> HttpResponse:
    project = gates.manager(request, project_id).project
    link = get_object_or_404(project.recruitments, public_id=recruitment_id)
    services.revoke(link, by=request.user)
    messages.success(request, _("Link revoked. Participants who already joined can continue."))
    return redirect("recruiting", project_id)


@gates.signed_in
@require_safe
def recruiting_report(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Download the report of time and pay, with the ids of people: for managers only."""
    project = gates.manager(request, project_id).project
    rows = map(_report_cells, report(project))
    return table_page.download(request, project, "participants", COLUMNS.split(), rows)


def _report_cells(line: Line) -> Sequence[Cell]:
    person, membership = line.participant, line.participant.membership
    return (
        membership.user.get_username(),
        person.platform,
        person.participant_id,
        person.study_id,
        person.session_id,
        membership.joined_at,
        person.finished_at if person.outcome else None,
        person.outcome or None,
        *(line.answers[kind] for kind in kinds.KINDS),
        person.recruitment.least_answers,
        round(line.minutes, 1),
        _round(line.answers_per_hour),
        float(line.reward) if line.reward is not None else None,
        person.recruitment.currency,
        _round(line.pay_per_hour, 2),
        other.membership.user.get_username() if (other := person.same_browser_as) else None,
    )


def _round(value: float | None, digits: int = 1) -> float | None:
    return None if value is None else round(value, digits)


def _page(
    request: Request, project: Project, form: RecruitmentForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "project": project,
        "manages": True,
        "form": form,
        "links": [
            (link, Platform(link.platform).label, state.value)
            for link, state in selectors.of_project(project)
        ],
        "lines": report(project),
        "limits": [
            (kind.title_in(project), project.limits.get(kind.name))
            for kind in kinds.of_project(project)
        ],
    }
    return render(request, "annotation/crowd/recruiting.html", context, status=status)
