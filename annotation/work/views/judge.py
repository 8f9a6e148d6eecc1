"""The judging page: two sentences, one answer (PAWS 4, "Paraphrase identification")."""

import uuid
from functools import partial

from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.work.forms import JudgmentForm
from annotation.work.services import judgments, skips
from annotation.work.services.turns import Turn
from annotation.work.views import answers, items


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def judge(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the current pair; a POST stores the answer and shows the next one."""
    member = gates.judge(request, project_id)
    if request.method == "POST":
        return _reply(request, member, *_answer(request, member))
    return _reply(request, member, judgments.turn(member), answers.Outcome())


@gates.signed_in
@never_cache
@require_POST
def undo_judgment(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Undo the last judgment and show its pair."""
    member = gates.judge(request, project_id)
    shown = _item(judgments.turn(member))
    outcome = answers.take_back(request, shown, partial(judgments.undo, member))
    return _reply(request, member, judgments.turn(member), outcome)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def skip_judgment(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for a reason for skipping; a POST skips the pair and shows the next one."""
    member = gates.judge(request, project_id)
    if request.method != "POST":
        return answers.ask_why(request, member, _item(judgments.turn(member)), answers.JUDGING)
    outcome = answers.pass_over(request, partial(_skip, member))
    return _reply(request, member, judgments.turn(member), outcome)


def _answer(request: Request, member: Membership) -> tuple[Turn, answers.Outcome]:
    form = JudgmentForm(request.POST)
    if not form.is_valid():
        return judgments.turn(member), answers.unreadable()
    given, label = form.cleaned_data, form.cleaned_data["label"]
    turn, refusal = judgments.answer(
        member,
        pair=given["item"],
        label=label,
        seconds=given["seconds"],
        highlighted=_was_highlighted(member.project, given["highlighted"]),
    )
    if refusal:
        return turn, answers.refused(refusal)
    return turn, answers.Outcome(saved=items.name_of(label, member.project.max_label))


def _was_highlighted(project: Project, page_says: bool | None) -> bool | None:
    """Whether words were highlighted: as the page reports, or False if forbidden."""
    return page_says if project.highlighting != Project.Highlighting.FORBIDDEN else False


def _skip(member: Membership, *, item: uuid.UUID, reason: str, note: str) -> None:
    skips.pair(member, pair=item, reason=reason, note=note)


def _item(turn: Turn) -> items.Item | None:
    return items.to_judge(turn.held) if turn.held else None


def _reply(
    request: Request, member: Membership, turn: Turn, outcome: answers.Outcome
) -> HttpResponse:
    context = {
        "item": _item(turn),
        "tally": turn.tally,
        "answers": items.answers(member.project.max_label),
    }
    return answers.reply(request, outcome, member=member, task=answers.JUDGING, context=context)
