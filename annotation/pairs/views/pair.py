"""The page of one pair, and the expert decision that managers record there."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import Request
from annotation.agreement import services as agreement
from annotation.errors import Refused
from annotation.models import Project, SentencePair
from annotation.pairs import differences
from annotation.pairs.forms import VERDICTS, AdjudicationForm
from annotation.pairs.selectors import pair as selector
from annotation.pairs.selectors.pair import EITHER_WAY, Event, Whole
from annotation.projects.forms.filters import REASONS
from annotation.projects.views import table_page
from annotation.work import judge
from annotation.work.correct import ACTIONS

CAME_TO = {"1": _("Paraphrase"), "0": _("Not a paraphrase"), EITHER_WAY: _("A tie")}
SAID = {"1": VERDICTS[1], "0": VERDICTS[0], EITHER_WAY: VERDICTS[None]}


@gates.signed_in
@require_safe
def pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    """Show the pair; managers also see the actions that they can take."""
    member = gates.reader(request, project_id)
    try:
        whole = selector.find(member.project, pair_id)
    except SentencePair.DoesNotExist as error:
        raise Http404 from error
    context = table_page.frame(member) | _context(whole, member.project) | _verdicts(whole)
    return render(request, "annotation/study/pair.html", context)


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
        agreement.adjudicate(pair, by=request.user, **form.cleaned_data)
        messages.success(request, gettext("Your decision is recorded alongside the votes."))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("pair", project_id, pair_id)


def _context(whole: Whole, project: Project) -> dict[str, Any]:
    pair, candidate = whole.pair, whole.pair.candidate
    return {
        "whole": whole,
        "pair": pair,
        "sentences": differences.of(pair.sentence1.text, pair.sentence2.text),
        "fix": differences.of(candidate.text, pair.sentence2.text),
        "kind": differences.kind_name(candidate.kind) if candidate.kind else "",
        "names": {answer.value: answer.name for answer in judge.choices(project)},
        "history": [(event, _detail(event, project)) for event in whole.history],
    }


def _verdicts(whole: Whole) -> dict[str, Any]:
    """Return the rounds of a pair and its expert decisions."""
    decided = getattr(whole.pair, "consensus", None)
    return {
        "rounds": whole.rounds,
        "adjudications": [(each, VERDICTS[each.label]) for each in whole.adjudications],
        "is_disputed": decided is not None and not decided.kept,
        "adjudication": AdjudicationForm(label_suffix=""),
    }


def _detail(event: Event, project: Project) -> str:
    """Describe an event in words: an answer, a verdict, a reason, or a corrector's action."""
    if event.what == "judged":
        return judge.name_of(int(event.detail), project)
    if event.what == "corrected":
        return str(ACTIONS.get(event.detail, ""))
    if event.what in ("decided", "reopened"):
        return str(CAME_TO[event.detail])
    if event.what == "adjudicated":
        return str(SAID[event.detail])
    return str(REASONS.get(event.detail, event.detail))
