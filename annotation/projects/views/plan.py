"""The page Plan: what a study would give and cost. It stores nothing."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.projects.forms.plan import PlanForm
from annotation.projects.views.project_form import check_that_creates
from annotation.stats.planning import plan


@gates.signed_in
@require_safe
def plan_study(request: Request) -> HttpResponse:
    """Show the plan of the numbers in the address, for people who may create projects."""
    check_that_creates(request)
    form = PlanForm(request.GET.dict(), user=request.user)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        planned = plan(form.study)
        context |= {"plan": planned, "lines": [planned.as_planned, *planned.alternatives]}
    status = 200 if form.is_valid() else UNPROCESSABLE
    return render(request, "annotation/setup/plan.html", context, status=status)
