"""The overview of a study: alerts and progress."""

import hashlib
import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from annotation import registry
from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.projects.selectors import set_up
from annotation.projects.views import figures as shown

NO_CONTENT = 204
FIGURES = "annotation/study/parts/figures.html"


@gates.signed_in
@require_safe
def overview(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the figures, the releases, and the next setup steps before the first answer."""
    member = gates.reader(request, project_id)
    context = _figures(request, member)
    for more in registry.overview:
        context |= more(member.project)
    if context["timeline"] is None:
        context["beginning"] = set_up.of_project(member.project)
    return render(request, "annotation/study/overview.html", context)


@gates.signed_in
@require_safe
def figures(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Return the figures for polling; 204 if the page shows them already."""
    context = _figures(request, gates.reader(request, project_id))
    if request.GET.get("digest") == context["digest"]:
        return HttpResponse(status=NO_CONTENT)
    return render(request, "annotation/study/parts/polled.html", context)


def _figures(request: Request, member: Membership) -> dict[str, Any]:
    """Return the context; `digest` is a digest that identifies what the browser shows."""
    context = shown.of_member(member)
    html = render_to_string(FIGURES, context, request)
    digest = hashlib.sha256(html.encode()).hexdigest()[:16]
    return context | {"figures": html, "digest": digest}
