"""A person's own last answers, without whether they decided anything."""

import uuid

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Project
from annotation.work.selectors import recent
from annotation.work.views import answers, items


@gates.signed_in
@never_cache
@require_safe
def recent_judgments(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's last judgments."""
    member = gates.judge(request, project_id)
    project = member.project
    given = [items.judged(row, project.max_label) for row in recent.judgments_of(member)]
    return _reply(request, project, given, answers.JUDGING)


@gates.signed_in
@never_cache
@require_safe
def recent_corrections(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the person's last corrections."""
    member = gates.corrector(request, project_id)
    given = [items.corrected(row) for row in recent.corrections_of(member)]
    return _reply(request, member.project, given, answers.CORRECTING)


def _reply(
    request: Request, project: Project, given: list[items.Given], task: answers.Task
) -> HttpResponse:
    context = {"project": project, "given": given, **task.addresses(project)}
    folder = "annotation/work/parts" if request.htmx else "annotation/work"
    return render(request, f"{folder}/recent.html", context)
