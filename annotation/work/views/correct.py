"""The correction page: accept, fix or reject a candidate (PAWS 4, "Sentence correction")."""

import uuid
from functools import partial

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.projects.selectors import progress
from annotation.work.forms import CorrectionForm
from annotation.work.services import corrections, skips
from annotation.work.views import answers, items


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the current candidate; a POST stores the answer and shows the next one."""
    member = gates.corrector(request, project_id)
    outcome = _submit(request, member) if request.method == "POST" else answers.Outcome()
    return _reply(request, member, outcome)


@gates.signed_in
@never_cache
@require_POST
def undo_correction(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Undo the last correction and show its candidate."""
    member = gates.corrector(request, project_id)
    outcome = answers.take_back(request, _held(member), partial(corrections.undo, member))
    return _reply(request, member, outcome)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def skip_correction(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for a reason for skipping; a POST skips the candidate and shows the next one."""
    member = gates.corrector(request, project_id)
    if request.method != "POST":
        return answers.ask_why(request, member, _held(member), answers.CORRECTING)
    outcome = answers.pass_over(request, partial(_skip, member))
    return _reply(request, member, outcome)


def _submit(request: Request, member: Membership) -> answers.Outcome:
    form = CorrectionForm(request.POST)
    if not form.is_valid():
        return answers.unreadable()
    return answers.attempt(partial(_store, member, **form.cleaned_data))


def _store(
    member: Membership, *, item: uuid.UUID, action: str, text: str, seconds: float | None
) -> str:
    stored = corrections.submit(member, public_id=item, action=action, text=text, seconds=seconds)
    if stored.action != action:
        return _("accepted, since nothing was changed")
    return str(items.ACTIONS[str(stored.action)])


def _skip(member: Membership, *, item: uuid.UUID, reason: str, note: str) -> None:
    skips.correction(member, correction=item, reason=reason, note=note)


def _held(member: Membership) -> items.Item | None:
    correction = corrections.claim(member)
    return None if correction is None else items.to_correct(correction)


def _reply(request: Request, member: Membership, outcome: answers.Outcome) -> HttpResponse:
    item = _held(member)
    draft = _draft(request, outcome)
    context = {
        "item": item,
        "tally": progress.corrections_of(member),
        "draft": draft,
        "editing": draft is not None and item is not None and _answered(request, item),
    }
    return answers.reply(request, outcome, member=member, task=answers.CORRECTING, context=context)


def _draft(request: Request, outcome: answers.Outcome) -> str | None:
    """The text of a fix that was not stored, so that the page can restore it."""
    lost = outcome.status != answers.OK and request.POST.get("action") == "fix"
    return request.POST.get("text", "") if lost else None


def _answered(request: Request, item: items.Item) -> bool:
    return request.POST.get("item") == str(item.id)
