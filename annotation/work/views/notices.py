"""Warnings, shown above the work until the person dismisses them.

The session stores which warnings the person has read.
"""

import uuid
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.work.forms import NoticeForm

READ = "warnings_read"


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the last warning as a fragment; a POST dismisses it."""
    member = gates.member(request, project_id)
    form = NoticeForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return redirect("home")
    if request.method == "POST":
        marks = request.session.get(READ, {})
        request.session[READ] = marks | {str(project_id): form.cleaned_data["until"]}
    kind = form.cleaned_data["kind"]
    if not request.htmx:
        return redirect("work", project_id, kind)
    return render(request, "annotation/work/parts/notices.html", context(request, member, kind))


def context(request: Request, member: Membership, kind: str) -> dict[str, Any]:
    """Return the template context of the fragment."""
    address = reverse("notices", args=[member.project.public_id])
    warning = member.warning(read=_read(request, member))
    return {"warning": warning, "notices": address, "kind": kind}


def _read(request: Request, member: Membership) -> datetime | None:
    mark = request.session.get(READ, {}).get(str(member.project.public_id))
    return parse_datetime(mark) if mark else None
