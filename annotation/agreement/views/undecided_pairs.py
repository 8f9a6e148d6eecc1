"""Manager actions for pairs without agreement: reopen them, or record an expert decision."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement.forms import AdjudicationForm, ReopenForm
from annotation.agreement.selectors import undecided_pairs
from annotation.agreement.services import adjudication, rounds
from annotation.errors import Refused
from annotation.models import Membership, SentencePair
from annotation.projects.forms.filters import PairsForm
from annotation.projects.views import table_page

CONFLICT = 409


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def reopen_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask before reopening all filtered pairs; a POST reopens them if their number is unchanged."""
    member = gates.manager(request, project_id)
    filters = PairsForm(request.GET)
    if not filters.is_valid():
        raise Http404
    chosen = undecided_pairs.to_reopen(member.project, filters.wanted())
    context = _what_it_comes_to(member, chosen.count())
    if request.method != "POST":
        return _confirm(request, member, context)
    form = ReopenForm(request.POST)
    if not form.is_valid() or form.cleaned_data["number"] != context["number"]:
        return _confirm(request, member, context | {"has_changed": True}, status=CONFLICT)
    public_ids = list(chosen.values_list("public_id", flat=True))
    reopened = rounds.reopen(member.project, public_ids, by=request.user)
    text = ngettext(
        "%(pairs)s pair will be judged again by other people.",
        "%(pairs)s pairs will be judged again by other people.",
        reopened,
    )
    messages.success(request, text % {"pairs": reopened})
    return redirect("pairs", project_id)


@gates.signed_in
@require_POST
def adjudicate(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Record an expert decision on a pair, sent from the page of the pair."""
    project = gates.manager(request, project_id).project
    pair = get_object_or_404(SentencePair, project=project, public_id=pair_id)
    form = AdjudicationForm(request.POST)
    if not form.is_valid():
        for errors in form.errors.values():
            messages.error(request, " ".join(map(str, errors)))
        return redirect("pair", project_id, pair_id)
    try:
        adjudication.decide(pair, by=request.user, **form.cleaned_data)
        messages.success(request, _("Your decision is recorded alongside the votes."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("pair", project_id, pair_id)


def _what_it_comes_to(member: Membership, number: int) -> dict[str, Any]:
    project = member.project
    return {
        "number": number,
        "answers": number * project.judgments_per_pair,
        "people": undecided_pairs.judges(project),
        "form": ReopenForm(initial={"number": number}),
    }


def _confirm(
    request: Request, member: Membership, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    asked = {name: str(value) for name, value in request.GET.items() if value}
    context |= table_page.frame(member) | {"filters": f"?{urlencode(asked)}"}
    return render(request, "annotation/study/reopen_pairs.html", context, status=status)
