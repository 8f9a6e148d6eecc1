"""Qualification pages, for newcomers and managers; and the results of gold pairs."""

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.errors import Refused
from annotation.models import Membership, Project, QualificationAttempt
from annotation.pairs import differences
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.forms import QualifyingForm
from annotation.people.services import members
from annotation.projects.views import table_page
from annotation.quality.forms import PairForm
from annotation.quality.selectors import answers
from annotation.quality.selectors import qualification as selectors
from annotation.quality.selectors.qualification import Standing
from annotation.quality.services import qualification
from annotation.work import judge, shortcuts
from annotation.work.contract import Shown


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def qualify(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the next pair or the result; a POST answers the pair. Earlier steps come first."""
    member = gates.member(request, project_id)
    if not (member.has_consented and member.has_replied):
        return redirect("welcome", project_id)
    if request.method == "POST":
        _store_answer(request, member)
        return redirect("qualify", project_id)
    if attempt := selectors.unfinished_attempt(member):
        return _pair_page(request, member.project, selectors.progress_of(attempt))
    if attempt := selectors.last_finished_attempt(member):
        return _result_page(request, member, attempt)
    return redirect("welcome", project_id)


@gates.signed_in
@require_POST
def begin_attempt(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.member(request, project_id)
    try:
        qualification.begin(member)
    except Refused as refused:
        messages.warning(request, str(refused))
        return redirect("welcome", project_id)
    members.leave_first_page(member)
    return redirect("qualify", project_id)


@gates.signed_in
@require_safe
def qualification_set(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return _set_page(request, gates.manager(request, project_id).project)


@gates.signed_in
@require_POST
def add_pair(request: Request, project_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    form = PairForm(request.POST, answers=_choices(project))
    if not form.is_valid():
        return _set_page(request, project, form=form)
    _add_pairs(request, project, [form.pair()])
    return redirect("qualification_set", project_id)


@gates.signed_in
@require_POST
def remove_pair(request: Request, project_id: uuid.UUID, pair_id: uuid.UUID) -> HttpResponse:
    project = gates.manager(request, project_id).project
    pair = project.qualification_pairs.filter(public_id=pair_id).first()
    if pair is not None:
        qualification.remove(pair, by=request.user)
        messages.success(request, _("Pair removed from the set."))
    return redirect("qualification_set", project_id)


@gates.signed_in
@require_safe
def preview_set(request: Request, project_id: uuid.UUID, number: int) -> HttpResponse:
    """Show pair `number`, from 1, as newcomers see it; answers are not stored."""
    project = gates.manager(request, project_id).project
    pairs = list(project.qualification_pairs.all())
    if not 1 <= number <= len(pairs):
        raise Http404
    standing = selectors.Standing(pairs[number - 1], number, len(pairs))
    following = number + 1 if number < len(pairs) else 1
    return _pair_page(request, project, standing, preview=following)


def _store_answer(request: Request, member: Membership) -> None:
    """Store the answer, or show the error with the next pair."""
    form = QualifyingForm(request.POST)
    if form.is_valid():
        pair, label = form.cleaned_data["item"], form.cleaned_data["label"]
        with table_page.refusal_shown(request, level=messages.WARNING):
            qualification.answer(member, pair=pair, label=label)


def _pair_page(
    request: Request, project: Project, standing: Standing | None, *, preview: int | None = None
) -> HttpResponse:
    """Show a pair without its known answer or explanation; `preview` is the next to preview."""
    pair, keys = standing and standing.pair, shortcuts.keys_of(request.user)
    language = selectors.language_of(project)
    context = {
        "project": project,
        "preview": preview,
        "standing": standing,
        "item": pair and Shown(pair.public_id, (pair.sentence1, pair.sentence2), language),
        "keys": keys,
        **judge.labels(project, keys),
    }
    return render(request, "annotation/entrance/qualify.html", context)


def _result_page(
    request: Request, member: Membership, attempt: QualificationAttempt
) -> HttpResponse:
    project = member.project
    names = {answer.place: answer.name for answer in judge.choices(project)}
    answers = selectors.marked_answers(attempt)
    context = {
        "project": project,
        "member": member,
        "attempt": attempt,
        "percent": round(100 * (attempt.share or 0)),
        "right": sum(each.is_right for each in answers),
        "marked": [(each, names[each.label], names[each.pair.label]) for each in answers],
        "left": selectors.attempts_left(member),
        "language": selectors.language_of(project),
    }
    return render(request, "annotation/entrance/qualified.html", context)


def _add_pairs(request: Request, project: Project, pairs: list[GoldPair]) -> None:
    try:
        added, repeated = qualification.add(project, pairs, by=request.user)
    except Refused as refused:
        messages.warning(request, str(refused))
        return
    if added:
        text = ngettext("%(count)s pair added.", "%(count)s pairs added.", added)
        messages.success(request, text % {"count": added})
    if repeated:
        text = ngettext(
            "%(count)s pair was already in the set and wasn’t changed.",
            "%(count)s pairs were already in the set and weren’t changed.",
            repeated,
        )
        messages.info(request, text % {"count": repeated})


def _choices(project: Project) -> list[tuple[int, str]]:
    return [(answer.place, str(answer.name)) for answer in judge.choices(project)]


def _set_page(
    request: Request,
    project: Project,
    *,
    form: PairForm | None = None,
) -> HttpResponse:
    """Show the page with the submitted form, or with empty forms."""
    label_names = dict(_choices(project))
    context: dict[str, Any] = {
        "project": project,
        "manages": True,
        "pairs": [(pair, label_names[pair.label]) for pair in selectors.of_project(project)],
        "answers": judge.choices(project),
        "form": form or PairForm(answers=_choices(project)),
        "language": selectors.language_of(project),
    }
    status = UNPROCESSABLE if form else 200
    return render(request, "annotation/setup/qualification_set.html", context, status=status)


@gates.signed_in
@require_safe
def gold_pairs(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the table, most missed pairs first."""
    member = gates.manager(request, project_id)
    context: dict[str, Any] = table_page.frame(member) | {
        "lines": [
            (pair, differences.pieces(pair.sentence1.text, pair.sentence2.text))
            for pair in answers.gold_pairs(member.project)
        ],
        "names": {answer.place: answer.name for answer in judge.choices(member.project)},
    }
    return render(request, "annotation/setup/gold_pairs.html", context)
