"""The work pages: claim, answer, skip, undo, recent answers, warnings, guidelines."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from annotation.access import gates
from annotation.access.gates import Request
from annotation.comments import selectors as comments
from annotation.errors import AnnotationError, Finished, NeedsConfirmation, NotHeld, Refused
from annotation.models import Duty, Membership, Project, Slot
from annotation.work import answers, judge, reasons, shortcuts, skips, waiting
from annotation.work.contract import Given, Turn
from annotation.work.forms import NoticeForm, SkipForm, UndoForm
from annotation.work.kinds import KINDS
from annotation.work.views import ahead

# The key of a session under which it stores the last warning that was read, by project.
READ = "warnings_read"
OK, CONFLICT, UNPROCESSABLE = 200, 409, 422


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of an answer, as HTTP status and texts for the annotator."""

    status: int = OK
    notice: str = ""
    saved: str | Promise = ""
    changed: Slot | None = None  # an earlier answer, whose item is in view instead


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def work(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Show the current item; a POST stores the answer and shows the next one."""
    duty = gates.duty(request, project_id, kind)
    if request.method != "POST":
        changed = ahead.answer_in_address(request, duty)
        return _reply(request, duty, answers.turn(duty), Outcome(changed=changed))
    form = KINDS[kind].form(request.POST)
    if not form.is_valid():
        return _reply(request, duty, answers.turn(duty), _unreadable())
    if "change" in request.POST:
        return _change(request, duty, form.cleaned_data)
    turn = answers.turn(duty, form.cleaned_data)
    outcome = _outcome_of_refusal(turn.refusal) if turn.refusal else Outcome(saved=turn.saved)
    return _reply(request, duty, turn, outcome)


@gates.signed_in
@never_cache
@require_POST
def undo(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Undo the last answer or skip and show its item; or show that of an answer to change."""
    duty = gates.duty(request, project_id, kind)
    outcome = _undo(request, duty)
    return _reply(request, duty, answers.turn(duty), outcome)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def skip(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Ask for a reason for skipping; a POST skips the item and shows the next one."""
    duty = gates.duty(request, project_id, kind)
    if request.method != "POST":
        return _ask_why(request, duty)
    outcome = _skip_item(request, duty)
    return _reply(request, duty, answers.turn(duty), outcome)


@gates.signed_in
@never_cache
@require_safe
def recent(request: Request, project_id: uuid.UUID, kind: str) -> HttpResponse:
    """Show the person's own last answers, without whether they decided anything."""
    duty, of_kind = gates.duty(request, project_id, kind), KINDS[kind]
    own_answers = duty.last_answers.select_related("item", "project", *of_kind.reads)
    rows = [
        Given(
            shown=of_kind.shown_item(slot.item),
            answer=of_kind.name_of(slot),
            text=slot.text,
            at=slot.submitted_at,
            is_note=of_kind.is_note(slot),
            words=reasons.marked_words(slot),
        )
        for slot in own_answers
    ]
    project = duty.membership.project
    context = {"project": project, "kind": kind, "given": rows, **_addresses(project, kind)}
    folder = "annotation/work/parts" if request.htmx else "annotation/work"
    return render(request, f"{folder}/recent.html", context)


@gates.signed_in
@require_safe
def guidelines(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the guidelines as a page, for browsers that cannot open them within the work page."""
    project = gates.member(request, project_id).project
    context = {"project": project, **judge.labels(project)}
    return render(request, "annotation/work/guidelines.html", context)


def _undo(request: Request, duty: Duty) -> Outcome:
    """Undo the last answer or skip; refuse a repeated request, which names an item already left."""
    form = UndoForm(request.POST)
    if not form.is_valid():
        return _unreadable()
    if form.cleaned_data["answer"]:
        return _open_for_change(duty, form.cleaned_data["answer"])
    if form.cleaned_data["change"]:
        return Outcome(notice=_("Your answer stays as it was."))
    item = form.cleaned_data["item"]
    if item is None and answers.turn(duty).shown:
        return Outcome(CONFLICT, _("You are already working on this item."))
    last = duty.answers.select_related("item").first()
    try:
        undone = answers.undo(duty, at=item)
    except NotHeld:  # a repeated request, or another tab was faster
        return Outcome(CONFLICT, _("You are already working on this item."))
    except Finished as error:
        return _outcome_of_refusal(error)
    if undone is None:
        return Outcome(CONFLICT, _("Your last answer or skip can no longer be undone."))
    ahead.remember_answer(request, last if last == undone else None)
    return Outcome(notice=_("Last item reopened."))


def _open_for_change(duty: Duty, item: uuid.UUID) -> Outcome:
    try:
        slot = answers.changeable_answer(duty, item)
    except AnnotationError as error:
        return _outcome_of_refusal(error)
    return Outcome(notice=_("Change your answer, or choose Undo to leave it."), changed=slot)


def _change(request: Request, duty: Duty, answer: Mapping[str, Any]) -> HttpResponse:
    """Replace an earlier answer; one that is invalid stays in view, to be corrected."""
    try:
        slot = answers.change(duty, **answer)
    except AnnotationError as error:
        turn, outcome = replace(answers.turn(duty), refusal=error), _outcome_of_refusal(error)
        if outcome.status == UNPROCESSABLE:
            outcome = replace(outcome, changed=_open_for_change(duty, answer["item"]).changed)
        return _reply(request, duty, turn, outcome)
    saved = KINDS[duty.kind].outcome_of(slot, answer)
    return _reply(request, duty, answers.turn(duty), Outcome(saved=saved))


def _skip_item(request: Request, duty: Duty) -> Outcome:
    form = SkipForm(request.POST)
    if not form.is_valid():
        return _unreadable()
    try:
        skips.skip(duty, **form.cleaned_data)
    except AnnotationError as error:
        return _outcome_of_refusal(error)
    return Outcome(saved=_("skipped"))


def _ask_why(request: Request, duty: Duty) -> HttpResponse:
    """Show the reasons for skipping. Raises Http404 if the project forbids skipping."""
    project = duty.membership.project
    if project.skipping == Project.Skipping.FORBIDDEN:
        raise Http404
    shown = answers.turn(duty).shown
    if shown is None:
        return redirect("work", project.public_id, duty.kind)
    context = {"item": shown, "project": project, **_addresses(project, duty.kind)}
    return render(request, "annotation/work/skip.html", context)


def _reply(request: Request, duty: Duty, turn: Turn, outcome: Outcome) -> HttpResponse:
    """Render the fragment for htmx, else the page, or a redirect after a stored answer.

    A person who must take a step before work is redirected to it, after their answer was stored.
    """
    member, kind, keys = duty.membership, duty.kind, shortcuts.keys_of(request.user)
    if step := ahead.next_step(request, duty, turn):
        return _redirect_to_step(request, step)
    if outcome.changed:
        turn = replace(turn, shown=KINDS[kind].shown_item(outcome.changed.item))
    addresses = _addresses(member.project, kind)
    counts = ahead.items_left(request, duty, turn)
    if request.method == "POST" and not request.htmx and outcome.status == OK:
        changed = outcome.changed and outcome.changed.item.public_id
        return redirect(ahead.next_page(addresses["page"], left=counts["left"], change=changed))
    context = {
        **KINDS[kind].context(member.project, keys, turn.shown),
        "keys": keys,
        **addresses,
        **_draft(request, kind, turn, outcome),
        "project": member.project,
        "item": turn.shown,
        "tally": turn.tally,
        "outcome": outcome,
        "can_undo": bool(turn.tally.total or skips.last_of(duty)),
        "former": ahead.former_answer(request, turn.shown, outcome.changed),
        **counts,
    }
    if turn.shown is None:
        why = waiting.why_none(duty)
        others = ahead.other_work(duty, why)
        context |= {"why": why, "pause": member.pause, "elsewhere": others}
        context["may_finish"] = ahead.may_finish(duty, why, others)
    if request.htmx:
        template = f"{KINDS[kind].templates}/parts/{kind}.html"
        return render(request, template, context, status=outcome.status)
    page = context | _warning(request, member, kind)
    template = f"{KINDS[kind].templates}/{kind}.html"
    response = render(request, template, page, status=outcome.status)
    return _compress(request, response)


def _draft(request: Request, kind: str, turn: Turn, outcome: Outcome) -> Mapping[str, Any]:
    """The text of an answer that was not stored, to restore it or to ask for confirmation."""
    draft = None if outcome.status == OK else KINDS[kind].draft(request.POST.dict())
    is_same = turn.shown is not None and request.POST.get("item") == str(turn.shown.id)
    editing = draft is not None and is_same
    asks = isinstance(turn.refusal, NeedsConfirmation) and turn.refusal.question
    sent = request.POST.dict() if editing else {}
    question = asks if editing else ""
    return {"draft": draft, "editing": editing, "sent": sent, "question": question}


def _addresses(project: Project, kind: str) -> dict[str, str]:
    """Return the URLs of the forms and links on a work page."""
    names = {"page": "work"} | {name: name for name in ("undo", "skip", "recent")}
    return {key: reverse(name, args=[project.public_id, kind]) for key, name in names.items()}


def _outcome_of_refusal(error: AnnotationError) -> Outcome:
    """Return the outcome of an answer that is invalid (422) or no longer possible (409)."""
    return Outcome(UNPROCESSABLE if isinstance(error, Refused) else CONFLICT, str(error))


def _unreadable() -> Outcome:
    """Return the outcome of a malformed request, which no page of ours sends."""
    return Outcome(UNPROCESSABLE, _("That answer could not be read. Please try again."))


def _redirect_to_step(request: Request, address: str) -> HttpResponse:
    return HttpResponseClientRedirect(address) if request.htmx else HttpResponseRedirect(address)


def _compress(request: Request, response: HttpResponse) -> HttpResponse:
    # The guidelines may be long. Safe against BREACH: the page reflects no input of a third party,
    # its CSRF token is masked differently in each response, and Django pads the response.
    return GZipMiddleware(lambda _: response)(request)  # type: ignore[return-value]


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def notices(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the last warning as a fragment; a POST dismisses it."""
    member = gates.member(request, project_id)
    form = NoticeForm(request.POST if request.method == "POST" else request.GET)
    if not form.is_valid():
        return redirect("home")
    if request.method == "POST":
        marks, until = request.session.get(READ, {}), form.cleaned_data["until"]
        # No one has read a warning that is still to come.
        read_until = min(until, timezone.now()).isoformat() if until else ""
        request.session[READ] = marks | {str(project_id): read_until}
    kind = form.cleaned_data["kind"]
    if not request.htmx:
        return redirect("work", project_id, kind)
    context = _warning(request, member, kind)
    if request.method != "POST" and (duty := member.duties.filter(kind=kind, allowed=True).first()):
        duty.membership = member
        context |= {"polled": True, "left": waiting.items_for(duty), "most_counted": waiting.SHOWN}
    return render(request, "annotation/work/parts/notices.html", context)


def _warning(request: Request, member: Membership, kind: str) -> dict[str, Any]:
    """Return the template context of the fragment."""
    address = reverse("notices", args=[member.project.public_id])
    warning = member.warning(read=_time_of_reading(request, member))
    replies = comments.unread_replies(member)
    return {"warning": warning, "replies": replies, "notices": address, "kind": kind}


def _time_of_reading(request: Request, member: Membership) -> datetime | None:
    mark = request.session.get(READ, {}).get(str(member.project.public_id))
    return parse_datetime(mark) if mark else None
