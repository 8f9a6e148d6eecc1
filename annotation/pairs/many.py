"""What managers do with several pairs, chosen in the list of pairs: change the order, exclude."""

import uuid
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership, SentencePair
from annotation.pairs.forms import ExclusionForm
from annotation.pairs.services import pair_exclusions
from annotation.projects.forms import chosen
from annotation.projects.views import table_page
from annotation.work import order

LEVELS = {"first": 1, "normal": 0, "last": -1}
EXCLUDE = "exclude"
UNPROCESSABLE = 422


@gates.signed_in
@require_POST
def change_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Change the order of the chosen pairs, or exclude them after asking for the reason."""
    member = gates.manager(request, project_id)
    ids = chosen.ids(request.POST)
    pairs = list(member.project.pairs.filter(public_id__in=ids, gold_label=None))
    act = request.POST.get("act", "")
    if not pairs:
        messages.warning(request, _("Select at least one pair."))
        return _back(request, project_id)
    if act == EXCLUDE:
        return _exclude(request, member, pairs)
    if act not in LEVELS:
        raise Http404
    found = [pair.public_id for pair in pairs]
    changed = order.prioritize(member.project, found, LEVELS[act], by=request.user)
    text = ngettext(
        "Priority of %(pairs)s pair changed.", "Priority of %(pairs)s pairs changed.", changed
    )
    messages.success(request, text % {"pairs": changed})
    return _back(request, project_id)


def _exclude(request: Request, member: Membership, pairs: list[SentencePair]) -> HttpResponse:
    open_to_it = [pair for pair in pairs if pair.excluded_by_id is None]
    form = ExclusionForm(request.POST if "confirmed" in request.POST else None, label_suffix="")
    if form.is_valid():
        try:
            values = form.cleaned_data
            done = len(pair_exclusions.exclude_all(open_to_it, by=request.user, **values))
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            text = ngettext("%(pairs)s pair excluded.", "%(pairs)s pairs excluded.", done)
            messages.success(request, text % {"pairs": done})
            return _back(request, member.project.public_id)
    context = table_page.frame(member) | {
        "pairs": open_to_it,
        "form": form,
        "back": _listed(request, member.project.public_id),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/exclude_pairs.html", context, status=status)


def _back(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return redirect(_listed(request, project_id))


def _listed(request: Request, project_id: uuid.UUID) -> str:
    """Return the address of the list, with the filters that it was shown with."""
    query = urlsplit(request.POST.get("filters", "")).query
    return reverse("pairs", args=[project_id]) + (f"?{query}" if query else "")
