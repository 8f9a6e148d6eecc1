"""What managers do with several pairs or candidates: order, exclude, judge again, decide."""

import uuid
from typing import Any
from urllib.parse import urlsplit

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.agreement import selectors, services
from annotation.models import Item, JudgingModel, Judgment, Membership, Project
from annotation.pairs.forms import ExclusionForm, ReopenForm
from annotation.pairs.selectors.model_says import DISAGREES
from annotation.pairs.selectors.pairs import PairFilters, matching_pairs
from annotation.pairs.services import pair_exclusions
from annotation.people.selectors import workforce
from annotation.projects import protocols
from annotation.projects.forms.filters import PairsForm, chosen_ids
from annotation.projects.views import table_page
from annotation.projects.views.saved_views import Place
from annotation.work import lists, order
from annotation.work.kinds import KINDS
from common import bulk

CONFLICT = 409
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
    form = table_page.valid_or_404(Place(project, kind).form(_query(request)))
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
        with table_page.refusal_in(form):
            values = form.cleaned_data
            number = len(pair_exclusions.exclude_all(to_exclude, by=request.user, **values))
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


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reopen_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask before reopening all filtered pairs; a POST reopens them if their number is unchanged.

    With `chosen`, those of them alone. Kept pairs are among them only where the filter is an id, or
    the disagreement of a model, which is then the reason.
    """
    member = gates.manager(request, project_id)
    filters = table_page.valid_or_404(PairsForm(request.GET, project=member.project)).filters()
    because = _disagreeing_model(member.project, filters)
    kept = filters.public_id is not None or because is not None
    reopenable = selectors.reopenable_pairs(member.project, kept=kept).values("pk")
    to_reopen = matching_pairs(member.project, filters).filter(pk__in=reopenable)
    if "chosen" in request.GET:
        to_reopen = to_reopen.filter(public_id__in=chosen_ids(request.GET))
    ids = dict(to_reopen.values_list("pk", "public_id"))
    keys = selectors.finishable_pairs(member.project, sorted(ids))
    context = _reopening_effects(member.project, len(keys), lacking=len(ids) - len(keys))
    kept_pairs = to_reopen.filter(bulk.among("pk", keys), consensus__kept=True)
    context |= {"kept": kept_pairs.count(), "because": because}
    if request.method != "POST":
        return _confirm_reopening(request, member, context)
    form = ReopenForm(request.POST)
    if not form.is_valid() or form.cleaned_data["number"] != context["number"]:
        return _confirm_reopening(request, member, context | {"has_changed": True}, status=CONFLICT)
    public_ids = [ids[key] for key in keys]
    reopened = services.reopen(
        member.project, public_ids, by=request.user, kept=kept, because=because
    )
    text = ngettext(
        "%(pairs)s pair will be judged again by other people.",
        "%(pairs)s pairs will be judged again by other people.",
        reopened,
    )
    messages.success(request, text % {"pairs": reopened})
    return redirect("pairs", project_id)


def _disagreeing_model(project: Project, filters: PairFilters) -> JudgingModel | None:
    """Return the model of the filter, if it finds pairs on which a model disagrees with people."""
    if filters.says is None or filters.says.says != DISAGREES:
        return None
    return JudgingModel.objects.get(project=project, public_id=filters.says.model)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def decide_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask before deciding the pairs for which no one is left; a POST decides them."""
    member = gates.manager(request, project_id)
    if request.method == "POST":
        decided = services.decide_with_votes(member.project, by=request.user)
        text = ngettext("%(n)s pair decided.", "%(n)s pairs decided.", decided)
        messages.success(request, text % {"n": decided})
        return redirect("overview", project_id)
    waiting = len(workforce.pairs_without_voters(member.project))
    context = table_page.frame(member) | {"number": waiting}
    return render(request, "annotation/study/decide_pairs.html", context)


def _reopening_effects(project: Project, number: int, *, lacking: int) -> dict[str, Any]:
    return {
        "number": number,
        "lacking": lacking,
        "answers": number * project.judgments_per_pair,
        "needed": protocols.of_project(project).most_judgments,
        "people": len(workforce.people(project)[Judgment.KIND]),
        "form": ReopenForm(initial={"number": number}),
    }


def _confirm_reopening(
    request: Request, member: Membership, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    query = {name: str(value) for name, value in request.GET.items() if value}
    query.pop("chosen", None)
    context |= table_page.frame(member) | {"filters": f"?{urlencode(query)}"}
    return render(request, "annotation/study/reopen_pairs.html", context, status=status)
