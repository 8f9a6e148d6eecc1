"""The way into a project: the pages of an invitation, and the first page with consent.

The address with the secret only redirects to one without it, so that the secret stays out of
referrers, page history and screens.
"""

import uuid

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.studies import INVITATION
from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.crowd import selectors as crowd
from annotation.errors import Refused
from annotation.models import Invitation, Membership, Role
from annotation.people.forms import AgreementForm
from annotation.people.selectors import invitations as selectors
from annotation.people.selectors.invitations import State
from annotation.people.selectors.members import Step, step_of
from annotation.people.services import invitations, members
from annotation.projects import protocols
from annotation.quality.selectors import qualification
from annotation.work import judge, waiting
from annotation.work.kinds import KINDS, named

LONGEST_SECRET = 100


@never_cache
@require_safe
def join(request: HttpRequest, secret: str) -> HttpResponse:
    """Store the link's invitation in the session. All invalid links get the same response."""
    try:
        invitation = selectors.find(secret[:LONGEST_SECRET])
    except Invitation.DoesNotExist:
        return _no_invitation_page(request)
    request.session[INVITATION] = str(invitation.public_id)
    return gates.unlisted(redirect("invited"))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invited(request: HttpRequest) -> HttpResponse:
    """Show the invitation; a POST accepts it. Members are redirected to the project."""
    invitation = _remembered_invitation(request)
    if invitation is None:
        return _no_invitation_page(request)
    if request.user.is_authenticated and (membership := _membership_of_reader(request, invitation)):
        if membership.role == Role.REMOVED:
            return _closed_page(request, invitations.Closed(State.REMOVED), invitation)
        return redirect("welcome", membership.project.public_id)
    if (state := selectors.state_of(invitation)) is not State.OPEN:
        return _closed_page(request, invitations.Closed(state), invitation)
    if request.method == "POST":
        return _accept_invitation(request, invitation)
    offers = [kind.offer_in(invitation.project) for kind in named(invitation.kinds)]
    context = {"invitation": invitation, "offers": offers}
    return gates.unlisted(render(request, "annotation/entrance/join.html", context))


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def welcome(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show the page; a POST accepts the consent text."""
    member = gates.member(request, project_id)
    if request.method != "POST":
        return _welcome_page(request, member)
    form = AgreementForm(request.POST)
    if not form.is_valid():
        return _welcome_page(request, member, trouble=_("To continue, tick the box."))
    try:
        members.agree(member, version=form.cleaned_data["version"])
    except Refused as refused:
        return _welcome_page(request, member, trouble=str(refused))
    members.leave_first_page(member)
    return redirect("welcome", project_id)


@gates.signed_in
@require_POST
def begin(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.member(request, project_id)
    if step_of(member) is not Step.READY:
        return redirect("welcome", project_id)
    members.leave_first_page(member)
    return _redirect_to_work(member)


def _accept_invitation(request: HttpRequest, invitation: Invitation) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect("invited")
    try:
        membership = invitations.join(str(invitation.public_id), request.user)
    except invitations.Closed as closed:
        return _closed_page(request, closed, invitation)
    if membership.role == Role.RESEARCHER and not membership.kinds:
        return redirect("overview", membership.project.public_id)
    return redirect("welcome", membership.project.public_id)


def _remembered_invitation(request: HttpRequest) -> Invitation | None:
    if (remembered := request.session.get(INVITATION)) is None:
        return None
    rows = Invitation.objects.select_related("project").filter(public_id=remembered)
    return rows.first()


def _membership_of_reader(request: HttpRequest, invitation: Invitation) -> Membership | None:
    places = invitation.project.memberships.filter(user=request.user.pk)
    return places.select_related("project").first()


def _no_invitation_page(request: HttpRequest) -> HttpResponse:
    return gates.unlisted(render(request, "annotation/entrance/join_nothing.html", status=404))


def _closed_page(
    request: HttpRequest, closed: invitations.Closed, invitation: Invitation
) -> HttpResponse:
    """Explain why the invitation is closed; of the project, only its contact address is shown."""
    context = {
        "why": str(closed),
        "removed": closed.state is State.REMOVED,
        "contact": invitation.project.contact,
    }
    return gates.unlisted(
        render(request, "annotation/entrance/join_closed.html", context, status=410)
    )


def _redirect_to_work(member: Membership) -> HttpResponse:
    """Prefer work with open items, then any work, then the project overview."""
    allowed = member.kinds
    kinds = [kind for kind in member.project.kinds if kind in allowed]
    kinds.sort(key=lambda kind: not waiting.items_for(member.duty(kind)))
    if kinds:
        return redirect("work", member.project.public_id, kinds[0])
    if member.role != Membership.Role.ANNOTATOR:
        return redirect("overview", member.project.public_id)
    return redirect("home")


def _welcome_page(request: Request, member: Membership, *, trouble: str = "") -> HttpResponse:
    project = member.project
    step = step_of(member)
    asks = project.asks_qualification
    context = {
        "project": project,
        "member": member,
        "step": step.value,
        "stages": _stages(member, step),
        "version": members.version_of(project.consent),
        "trouble": trouble,
        "pairs": project.qualification_pairs.count() if asks else 0,
        "left": qualification.attempts_left(member) if asks else 0,
        "attempt": qualification.unfinished_attempt(member) if asks else None,
        "result": qualification.last_finished_attempt(member) if asks else None,
        "guidelines": _guidelines_for(member),
        **judge.labels(project),
        "return_code": crowd.return_code(member.user) if member.is_recruited else "",
    }
    status = UNPROCESSABLE if trouble else 200
    return render(request, "annotation/entrance/welcome.html", context, status=status)


def _guidelines_for(member: Membership) -> str:
    """Return the guidelines without what is about the work of others alone."""
    allowed = member.kinds
    others = [kind for kind in KINDS.values() if kind.name not in allowed] if allowed else []
    titles = {title for kind in others for title in kind.chapters}
    return protocols.without_chapters(member.project.guidelines, titles)


def _stages(member: Membership, step: Step) -> list[tuple[str, str]]:
    """Return the steps that this project requires, each with its state: done, now or later."""
    stages: list[tuple[str, Step | None]] = [(_("Read"), None)]
    if member.project.consent:
        stages.append((_("Agree"), Step.CONSENT))
    if member.project.questions_changed_at:
        stages.append((_("Answer questions"), Step.QUESTIONS))
    if member.project.asks_qualification:
        name = _("Qualify") if member.project.pass_mark else _("Practice")
        stages.append((name, Step.QUALIFICATION))
    stages.append((_("Start"), Step.READY))
    at = Step.QUALIFICATION if step is Step.FAILED else step
    done_count = [step_of_stage for _name, step_of_stage in stages].index(at)
    states = ["done"] * done_count + ["now"] + ["later"] * (len(stages) - done_count - 1)
    return [(name, state) for (name, _its), state in zip(stages, states, strict=True)]
