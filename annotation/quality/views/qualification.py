"""Qualification pages for newcomers: one pair at a time, then the result."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership, QualificationAttempt, QualificationPair
from annotation.people.forms import QualifyingForm
from annotation.people.services import members
from annotation.quality.selectors import qualification as selectors
from annotation.quality.services import qualification
from annotation.work import judge
from annotation.work.contract import Shown


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def qualify(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the next pair or the result; a POST answers the pair."""
    member = gates.member(request, project_id)
    if request.method == "POST":
        _answer(request, member)
        return redirect("qualify", project_id)
    if attempt := selectors.under_way(member):
        return _pair(request, member, attempt)
    if attempt := selectors.last_finished(member):
        return _result(request, member, attempt)
    return redirect("welcome", project_id)


@gates.signed_in
@require_POST
def begin_attempt(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Start an attempt or continue the unfinished one."""
    member = gates.member(request, project_id)
    try:
        qualification.begin(member)
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("welcome", project_id)
    members.leave_first_page(member)
    return redirect("qualify", project_id)


def item_of(pair: QualificationPair, language: str) -> Shown:
    """Return the sentences of a pair, without its known answer or explanation."""
    return Shown(pair.public_id, (pair.sentence1, pair.sentence2), language)


def _answer(request: Request, member: Membership) -> None:
    """Store the answer, or show the error with the next pair."""
    form = QualifyingForm(request.POST)
    if not form.is_valid():
        return
    try:
        data = form.cleaned_data
        qualification.answer(member, pair=data["item"], label=data["label"])
    except Refused as refused:
        messages.warning(request, str(refused))


def _pair(request: Request, member: Membership, attempt: QualificationAttempt) -> HttpResponse:
    project = member.project
    standing = selectors.standing(attempt)
    language = selectors.language_of(project)
    context = {
        "project": project,
        "standing": standing,
        "item": item_of(standing.pair, language) if standing else None,
        "answers": judge.choices(project),
    }
    return render(request, "annotation/entrance/qualify.html", context)


def _result(request: Request, member: Membership, attempt: QualificationAttempt) -> HttpResponse:
    project = member.project
    named = {answer.value: answer.name for answer in judge.choices(project)}
    marked = selectors.marked(attempt)
    context = {
        "project": project,
        "member": member,
        "attempt": attempt,
        "percent": round(100 * (attempt.share or 0)),
        "right": sum(each.is_right for each in marked),
        "marked": [(each, named[each.given], named[each.pair.label]) for each in marked],
        "left": selectors.attempts_left(member),
        "language": selectors.language_of(project),
    }
    return render(request, "annotation/entrance/qualified.html", context)
