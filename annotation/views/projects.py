"""A project for those who run it, and its guidelines for everybody in it."""

import uuid

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.selectors import members, progress
from annotation.views import gates
from annotation.views.gates import Request


@gates.signed_in
@require_safe
def overview(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """How far the project has come, who has done what, and its releases."""
    project = gates.reader(request, project_id).project
    context = {
        "project": project,
        "progress": progress.of_project(project),
        "members": members.work_of(project),
        "releases": project.releases.all(),
    }
    return render(request, "annotation/overview.html", context)


@gates.signed_in
@require_safe
def guidelines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """The guidelines as a page of their own, for browsers that do not open them beside the work."""
    context = {"project": gates.member(request, project_id).project}
    return render(request, "annotation/guidelines.html", context)
