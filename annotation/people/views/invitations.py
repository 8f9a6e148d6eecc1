"""Links that invite people to a project: the manager's list of them, new ones, and an end."""

import uuid

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import handed_out
from annotation.access import gates
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models import Project, Role
from annotation.people.forms import ROLES, InvitationForm
from annotation.people.selectors import invitations as selectors
from annotation.people.services import invitations as services
from annotation.work import kinds
from annotation.work.kinds import KINDS


@gates.signed_in
@require_safe
def invitations(request: Request, project_id: uuid.UUID) -> HttpResponse:
    manager = gates.manager(request, project_id)
    handed_out.forget(request)
    offered = {"role": Role.ANNOTATOR, "kinds": kinds.usual(manager.project)}
    form = InvitationForm(initial=offered, project=manager.project)
    return _page(request, manager.project, form)


@gates.signed_in
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Create an invitation, or show the link that this session keeps."""
    manager = gates.manager(request, project_id)
    if request.method != "POST":
        return _show_link(request, manager.project)
    form = InvitationForm(request.POST, project=manager.project)
    if not form.is_valid():
        return _page(request, manager.project, form, status=UNPROCESSABLE)
    try:
        invitation, secret = services.create(manager.project, by=request.user, **form.offer())
    except ValidationError as error:
        form.add_error(None, error)
        return _page(request, manager.project, form, status=UNPROCESSABLE)
    return handed_out.keep(request, str(invitation.public_id), secret)


def _show_link(request: Request, project: Project) -> HttpResponse:
    """Show the link that this session keeps, or lead to the list if it keeps none."""
    if not (kept := handed_out.kept(request)):
        return redirect("invitations", project.public_id)
    public_id, secret = kept
    invitation = project.invitations.get(public_id=public_id)
    context = {
        "project": project,
        "manages": True,
        "invitation": invitation,
        "role": ROLES[Role(invitation.role)],
        "link": request.build_absolute_uri(reverse("join", args=[secret])),
        "kinds": [KINDS[name].title_in(project) for name in invitation.kinds],
    }
    return render(request, "annotation/setup/invitation_link.html", context)


@gates.signed_in
@require_POST
def revoke_invitation(
    request: Request, project_id: uuid.UUID, invitation_id: uuid.UUID
) -> HttpResponse:
    manager = gates.manager(request, project_id)
    invitation = get_object_or_404(manager.project.invitations, public_id=invitation_id)
    services.revoke(invitation, by=request.user)
    messages.success(request, _("Invitation revoked."))
    return redirect("invitations", project_id)


def _page(
    request: Request, project: Project, form: InvitationForm, *, status: int = 200
) -> HttpResponse:
    context = {
        "project": project,
        "manages": True,
        "invitations": [
            (invitation, ROLES[Role(invitation.role)], state.value)
            for invitation, state in selectors.of_project(project)
        ],
        "form": form,
    }
    return render(request, "annotation/setup/invitations.html", context, status=status)
