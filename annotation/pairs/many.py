"""What managers do with several items, chosen in a list: change the order, exclude, include."""

import uuid
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.models import Item, Membership, Project
from annotation.pairs.forms import ExclusionForm
from annotation.pairs.selectors.pairs import matching_pairs
from annotation.pairs.services import pair_exclusions
from annotation.projects.forms.filters import PairsForm, chosen_ids
from annotation.projects.views import table_page
from annotation.projects.views.saved_views import Place
from annotation.work import lists, order
from annotation.work.kinds import KINDS

LEVELS = {"first": 1, "normal": 0, "last": -1}
EXCLUDE, INCLUDE, AGAIN = "exclude", "include", "again"


@gates.signed_in
@require_POST
def change_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Change the order of the chosen pairs; exclude items after asking why, or include them."""
    member = gates.manager(request, project_id)
    act = request.POST.get("act", "")
    if act == AGAIN:
        return redirect(_reopening_address(request, project_id))
    items = pair_exclusions.pairs_or_candidates(member.project, _chosen(request, member.project))
    if not items:
        messages.warning(request, _("Select at least one item."))
        return _redirect_to_list(request, project_id)
    if act == EXCLUDE:
        return _exclude_items(request, member, items)
    if act == INCLUDE:
        return _include_items(request, member, items)
    if act not in LEVELS:
        raise Http404
    public_ids = [item.public_id for item in items]
    changed = order.prioritize(member.project, public_ids, LEVELS[act], by=request.user)
    text = ngettext(
        "Priority of %(pairs)s pair changed.", "Priority of %(pairs)s pairs changed.", changed
    )
    messages.success(request, text % {"pairs": changed})
    return _redirect_to_list(request, project_id)


def _chosen(request: Request, project: Project) -> list[uuid.UUID]:
    """Return the ids of what was chosen: boxes, or all pairs that match the list's filters."""
    if "all" not in request.POST:
        return chosen_ids(request.POST)
    kind = request.POST.get("kind", "")
    if kind and kind not in project.kinds:
        raise Http404
    form = Place(project, kind).form(_query(request))
    if not form.is_valid():
        raise Http404
    if isinstance(form, PairsForm):
        return [*matching_pairs(project, form.filters()).values_list("public_id", flat=True)]
    rows = lists.answers(project, KINDS[kind], form.filters())
    return [*rows.values_list("item__public_id", flat=True).distinct()]


def _reopening_address(request: Request, project_id: uuid.UUID) -> str:
    """Return the page that asks before the chosen pairs are judged again, with its numbers."""
    query = _query(request)
    if "all" not in request.POST:
        query.setlist("chosen", [str(key) for key in chosen_ids(request.POST)])
    return f"{reverse('reopen_pairs', args=[project_id])}?{query.urlencode()}"


def _query(request: Request) -> QueryDict:
    """Return the filters of the list that was shown."""
    return QueryDict(urlsplit(request.POST.get("list", "")).query, mutable=True)


def _include_items(request: Request, member: Membership, items: list[Item]) -> HttpResponse:
    excluded = [item for item in items if item.excluded_by_id is not None]
    text = ngettext(
        "%(items)s item included again.", "%(items)s items included again.", len(excluded)
    )
    with table_page.refusal_shown(request):  # another manager may be faster
        pair_exclusions.include_all(excluded, by=request.user)
        messages.success(request, text % {"items": len(excluded)})
    return _redirect_to_list(request, member.project.public_id)


def _exclude_items(request: Request, member: Membership, items: list[Item]) -> HttpResponse:
    to_exclude = [item for item in items if item.excluded_by_id is None]
    is_confirmed = "confirmed" in request.POST
    all_that_match = is_confirmed and "all" in request.POST
    has_changed = all_that_match and request.POST.get("number") != str(len(to_exclude))
    form = ExclusionForm(request.POST if is_confirmed else None, label_suffix="")
    if form.is_valid() and not has_changed:
        try:
            values = form.cleaned_data
            number = len(pair_exclusions.exclude_all(to_exclude, by=request.user, **values))
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            text = ngettext("%(items)s item excluded.", "%(items)s items excluded.", number)
            messages.success(request, text % {"items": number})
            return _redirect_to_list(request, member.project.public_id)
    context = table_page.frame(member) | {
        "number": len(to_exclude),
        "items": [] if "all" in request.POST else to_exclude,
        "kind": request.POST.get("kind", ""),
        "has_changed": has_changed,
        "form": form,
        "back": _list_address(request, member.project.public_id),
    }
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/exclude_pairs.html", context, status=status)


def _redirect_to_list(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return redirect(_list_address(request, project_id))


def _list_address(request: Request, project_id: uuid.UUID) -> str:
    """Return the address of the list that was shown, with its filters."""
    address = request.POST.get("list", "")
    if url_has_allowed_host_and_scheme(address, allowed_hosts=None):
        return address
    return reverse("pairs", args=[project_id])
