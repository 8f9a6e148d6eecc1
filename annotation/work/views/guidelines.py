"""The guidelines of a project, for everybody in it."""

import uuid

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request


@gates.signed_in
@require_safe
def guidelines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """The guidelines as a page of their own, for browsers that do not open them beside the work."""
    context = {"project": gates.member(request, project_id).project}
    return render(request, "annotation/work/guidelines.html", context)
