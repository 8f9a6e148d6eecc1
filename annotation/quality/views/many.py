"""One intervention in the work of several people, chosen in the list of annotators."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from annotation.projects.forms import chosen
from annotation.projects.views import table_page
from annotation.quality.forms import StepForm
from annotation.quality.views.interventions import STEPS, Step

# The others have effects that differ from person to person: they have a page for each.
FOR_MANY = ("warn", "pause", "resume")


@gates.signed_in
@require_POST
def intervene_many(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for the reason, then apply the step to everyone who was chosen."""
    member = gates.manager(request, project_id)
    people = _people(member, chosen.ids(request.POST))
    if not people:
        messages.warning(request, _("Select at least one person."))
        return redirect("annotators", project_id)
    name = request.POST.get("step", "")
    if name not in FOR_MANY:
        raise Http404
    form = StepForm(request.POST if "confirmed" in request.POST else None, label_suffix="")
    if form.is_valid():
        _apply(request, people, STEPS[name], form.cleaned_data["reason"])
        return redirect("annotators", project_id)
    context = table_page.frame(member) | {
        "people": people,
        "step": STEPS[name],
        "name": name,
        "form": form,
    }
    status = 422 if form.is_bound else 200
    return render(request, "annotation/study/intervene_many.html", context, status=status)


def _people(member: Membership, ids: list[uuid.UUID]) -> list[Membership]:
    """Return those of the project, without the manager who asks."""
    others = member.project.memberships.exclude(pk=member.pk).select_related("user", "project")
    return list(others.filter(user__public_id__in=ids).order_by("user__username"))


def _apply(request: Request, people: list[Membership], step: Step, reason: str) -> None:
    done = 0
    for person in people:
        try:
            step.act(person, by=request.user, reason=reason)
            done += 1
        except Refused as refused:
            messages.warning(request, f"{person.user}: {refused}")
    text = ngettext("%(step)s: %(people)s person.", "%(step)s: %(people)s people.", done)
    if done:
        messages.success(request, text % {"step": step.title, "people": done})
