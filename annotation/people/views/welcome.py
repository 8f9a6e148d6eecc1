"""The first page of a project: instructions, consent and the way to the work."""

import uuid
from dataclasses import dataclass

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from annotation.people.forms.welcome import AgreementForm
from annotation.people.selectors import admission as selectors
from annotation.people.selectors.admission import Step
from annotation.people.services import admission
from annotation.quality.selectors import qualification
from annotation.work import waiting

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Stage:
    """An onboarding step and its state: done, now or later."""

    name: str
    state: str


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the page; a POST accepts the consent text."""
    member = gates.member(request, project_id)
    if request.method != "POST":
        return _page(request, member)
    form = AgreementForm(request.POST)
    if not form.is_valid():
        return _page(request, member, trouble=_("Tick the box first, if you agree."))
    try:
        admission.agree(member, version=form.cleaned_data["version"])
    except Refused as refused:
        return _page(request, member, trouble=str(refused))
    admission.leave_first_page(member)
    return redirect("welcome", project_id)


@gates.signed_in
@require_POST
def begin(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Leave the first page and redirect to the first task."""
    member = gates.member(request, project_id)
    if selectors.step_of(member) is not Step.READY:
        return redirect("welcome", project_id)
    admission.leave_first_page(member)
    return _to_work(member)


def _to_work(member: Membership) -> HttpResponse:
    """Prefer work with open items, then any work, then the project overview."""
    allowed = member.kinds
    kinds = [kind for kind in member.project.kinds if kind in allowed]
    kinds.sort(key=lambda kind: not waiting.items_for(member.duty(kind)))
    if kinds:
        return redirect("work", member.project.public_id, kinds[0])
    if member.role != Membership.Role.ANNOTATOR:
        return redirect("overview", member.project.public_id)
    return redirect("home")


def _page(request: Request, member: Membership, *, trouble: str = "") -> HttpResponse:
    project = member.project
    step = selectors.step_of(member)
    asks = project.asks_qualification
    context = {
        "project": project,
        "member": member,
        "step": step.value,
        "stages": _stages(member, step),
        "version": admission.version_of(project.consent),
        "trouble": trouble,
        "pairs": project.qualification_pairs.count() if asks else 0,
        "left": qualification.attempts_left(member) if asks else 0,
        "attempt": qualification.under_way(member) if asks else None,
        "result": qualification.last_finished(member) if asks else None,
    }
    status = UNPROCESSABLE if trouble else 200
    return render(request, "annotation/entrance/welcome.html", context, status=status)


def _stages(member: Membership, step: Step) -> list[Stage]:
    """Return the onboarding steps that this project requires."""
    way: list[tuple[str, Step | None]] = [(_("Read"), None)]
    if member.project.consent:
        way.append((_("Agree"), Step.CONSENT))
    if member.project.asks_qualification:
        way.append((_("Qualify"), Step.QUALIFICATION))
    way.append((_("Begin"), Step.READY))
    at = Step.QUALIFICATION if step is Step.FAILED else step
    now = [its for _name, its in way].index(at)
    states = ["done"] * now + ["now"] + ["later"] * (len(way) - now - 1)
    return [Stage(name, state) for (name, _its), state in zip(way, states, strict=True)]
