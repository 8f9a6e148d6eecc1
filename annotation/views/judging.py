"""Judging: two sentences, one answer (PAWS 4, "Paraphrase identification")."""

import uuid
from functools import partial

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.forms import JudgmentForm
from annotation.models import Membership
from annotation.selectors import progress
from annotation.services import judgments
from annotation.views import gates, items, work
from annotation.views.gates import Request


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def judge(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the pair that the person is at; a POST answers it and shows the next."""
    member = gates.judge(request, project_id)
    outcome = _submit(request, member) if request.method == "POST" else work.Outcome()
    return _reply(request, member, outcome)


@gates.signed_in
@never_cache
@require_POST
def undo_judgment(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Take the last judgment back and show its pair."""
    member = gates.judge(request, project_id)
    outcome = work.take_back(request, _held(member), partial(judgments.undo, member))
    return _reply(request, member, outcome)


def _submit(request: Request, member: Membership) -> work.Outcome:
    form = JudgmentForm(request.POST)
    if not form.is_valid():
        return work.unreadable()
    return work.attempt(partial(_store, member, **form.cleaned_data))


def _store(member: Membership, *, item: uuid.UUID, label: int, seconds: float | None) -> str:
    judgments.submit(member, pair_public_id=item, label=label, seconds=seconds)
    return items.name_of(label, member.project.max_label)


def _held(member: Membership) -> items.Item | None:
    judgment = judgments.claim(member)
    return None if judgment is None else items.to_judge(judgment)


def _reply(request: Request, member: Membership, outcome: work.Outcome) -> HttpResponse:
    context = {
        "item": _held(member),
        "project": member.project,
        "tally": progress.judgments_of(member),
        "answers": items.answers(member.project.max_label),
    }
    page = reverse("judge", args=[member.project.public_id])
    return work.reply(request, outcome, page=page, name="judge", context=context)
