"""Manager actions on single items: set a priority, or return an item to the queue."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.projects.forms.filters import ItemForm, PriorityForm
from annotation.work.services import priorities, set_aside

PUT_BACK = {
    "pair": set_aside.put_pairs_back,
    "correction": set_aside.put_corrections_back,
}


@gates.signed_in
@require_POST
def give_priority(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Set the priority of a pair: before all others, normal, or after all others."""
    project = gates.manager(request, project_id).project
    form = PriorityForm(request.POST)
    if not form.is_valid():
        raise Http404
    level = form.cleaned_data["level"]
    priorities.of_pairs(project, [pair_id], level, by=request.user)
    said = {
        1: _("The pair is judged before all others."),
        0: _("The pair is judged in its turn."),
        -1: _("The pair is judged after all others."),
    }
    messages.success(request, said[level])
    return redirect("pair", project_id, pair_id)


@gates.signed_in
@require_POST
def put_back(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Return an item that was set aside to the queue; other items do not change."""
    project = gates.manager(request, project_id).project
    form = ItemForm(request.POST)
    if not form.is_valid():
        raise Http404
    put = PUT_BACK[form.cleaned_data["kind"]]
    if put(project, [form.cleaned_data["item"]], by=request.user):
        messages.success(request, _("It is in the queue again."))
    else:
        messages.info(request, _("It was in the queue already."))
    return _back(request, project_id, form)


def _back(request: Request, project_id: uuid.UUID, form: ItemForm) -> HttpResponseRedirect:
    """Redirect to the page that contained the button."""
    if "from_pair" in request.POST and form.cleaned_data["kind"] == "pair":
        return redirect("pair", project_id, form.cleaned_data["item"])
    return redirect("skips", project_id)
