"""The guidelines page of a project, for all members."""

import uuid

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import Request


@gates.signed_in
@require_safe
def guidelines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the guidelines as a page, for browsers that cannot open them within the work page."""
    context = {"project": gates.member(request, project_id).project}
    return render(request, "annotation/work/guidelines.html", context)
