"""The page on which a manager plans a re-issue, reads what it would do, and has it carried out."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from annotation.projects.views import table_page
from annotation.quality.forms import ReissueForm, RulesForm
from annotation.quality.selectors import reserved
from annotation.quality.services import reissue as service
from annotation.quality.services.reissue import Plan

TEMPLATE = "annotation/study/reissue.html"
BAD_REQUEST, CONFLICT = 400, 409


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reissue(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the plan for the thresholds in the address; a POST with a confirmation carries it out.

    The thresholds stay in the address. The plan is shown again if other people are low or best by
    then.
    """
    member = gates.manager(request, project_id)
    rules = RulesForm.bound(request.GET)
    if not rules.is_valid():
        return _shown(request, member, {"rules": rules}, status=BAD_REQUEST)
    plan = service.plan(member.project, **rules.cleaned_data)
    context: dict[str, Any] = {"rules": rules, "plan": plan}
    if request.method != "POST":
        return _shown(request, member, context | {"form": _confirmation()})
    form = ReissueForm(request.POST, label_suffix="")
    if form.is_valid() and _carried_out(request, plan, form):
        return redirect("reissue", project_id)
    return _shown(request, member, context | {"form": form}, status=CONFLICT)


@gates.signed_in
@require_POST
def release_reserved(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Open reserved slots to everybody: `every` one, or those that none of the best can get."""
    member = gates.manager(request, project_id)
    released = service.release(member.project, by=request.user, every="every" in request.POST)
    text = ngettext(
        "%(n)s answer can now be given by anyone.",
        "%(n)s answers can now be given by anyone.",
        released,
    )
    messages.success(request, text % {"n": released})
    return redirect("reissue", project_id)


def _confirmation() -> ReissueForm:
    return ReissueForm(initial={"reason": service.usual_reason()}, label_suffix="")


def _carried_out(request: Request, plan: Plan, form: ReissueForm) -> bool:
    """Return whether it was; errors go to the form."""
    asked = form.cleaned_data
    try:
        if asked["digest"] != plan.digest:
            raise service.Changed
        answers = service.carry_out(
            plan, request.user, reason=asked["reason"], anybody=asked["anybody"]
        )
    except Refused as refused:
        form.add_error(None, str(refused))
        return False
    text = ngettext(
        "%(n)s answer was excluded and reassigned.",
        "%(n)s answers were excluded and reassigned.",
        answers,
    )
    messages.success(request, text % {"n": answers})
    return True


def _shown(
    request: Request, member: Membership, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    frame = table_page.frame(member) | {"waiting": reserved.waiting(member.project)}
    return render(request, TEMPLATE, frame | context, status=status)
