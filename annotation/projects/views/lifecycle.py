"""The page of a project as a whole: open, close, duplicate, transfer, archive, delete."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership
from annotation.people.services import members
from annotation.projects.forms.lifecycle import DeleteForm, DuplicateForm, TransferForm
from annotation.projects.forms.projects import OpenForm
from annotation.projects.selectors import stopping
from annotation.projects.services import lifecycle, projects
from annotation.projects.views import table_page

UNPROCESSABLE = 422


@gates.signed_in
@require_safe
def project_actions(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show what can be done with the project as a whole."""
    return _page(request, gates.manager(request, project_id))


@gates.signed_in
@require_POST
def open_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Open the project for work, or close it; closing that stops people is confirmed first."""
    member = gates.manager(request, project_id)
    form = OpenForm(request.POST)
    form.full_clean()
    is_open = form.cleaned_data["is_open"]
    if not is_open and not form.cleaned_data["confirmed"]:
        stopped = stopping.by_closing(member.project)
        if stopped.names:
            return _confirm(request, member, "close", stopped)
    projects.change(member.project, {"is_open": is_open}, by=request.user)
    messages.success(
        request,
        _("Project opened. Annotators get work.")
        if is_open
        else _("Project closed. No one gets work."),
    )
    return redirect("project_actions", project_id)


@gates.signed_in
@require_POST
def duplicate_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Create a project with the same settings, for people who may create projects."""
    member = gates.manager(request, project_id, archived=True)
    if not readers.may_create(request.user):
        raise Http404
    form = DuplicateForm(request.POST, label_suffix="")
    if not form.is_valid():
        return _page(request, member, duplicate=form, status=UNPROCESSABLE)
    copy = lifecycle.duplicate(member.project, **form.cleaned_data, by=request.user)
    messages.success(request, _("Project duplicated. You’re its manager."))
    return redirect("project_settings", copy.public_id)


@gates.signed_in
@require_POST
def transfer_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Make another member the manager; the requester stays as a researcher."""
    member = gates.manager(request, project_id)
    form = TransferForm(request.POST, member=member)
    if form.is_valid():
        try:
            members.transfer(member, to=form.cleaned_data["to"], by=request.user)
        except Refused as refused:
            form.add_error("to", str(refused))
    if form.errors:
        return _page(request, member, transfer=form, status=UNPROCESSABLE)
    messages.success(request, _("Project transferred. You can still read its results."))
    return redirect("overview", project_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def archive_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask before archiving, with the number of people whose work stops; a POST archives."""
    member = gates.manager(request, project_id)
    if request.method != "POST":
        return _confirm(request, member, "archive", stopping.by_closing(member.project))
    lifecycle.archive(member.project, by=request.user)
    messages.success(request, _("Project archived. It is listed below your other projects."))
    return redirect("home")


@gates.signed_in
@require_POST
def restore_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Restore an archived project; it stays closed."""
    member = gates.manager(request, project_id, archived=True)
    lifecycle.restore(member.project, by=request.user)
    messages.success(request, _("Project restored. Open it to continue the work."))
    return redirect("project_actions", project_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def delete_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for the name of an empty project before it is deleted."""
    member = gates.manager(request, project_id, archived=True)
    form = DeleteForm(request.POST or None, project=member.project)
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.delete(member.project, by=request.user)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("Project deleted."))
            return redirect("home")
    context = table_page.frame(member) | {
        "form": form,
        "is_empty": lifecycle.is_empty(member.project),
        "people": member.project.memberships.count(),
        "invitations": member.project.invitations.count(),
    }
    status = UNPROCESSABLE if request.method == "POST" else 200
    return render(request, "annotation/setup/delete_project.html", context, status=status)


def _confirm(
    request: Request, member: Membership, step: str, stopped: stopping.Stopped
) -> HttpResponse:
    context = table_page.frame(member) | {"step": step, "stopped": stopped}
    return render(request, "annotation/setup/stop_project.html", context)


def _page(
    request: Request,
    member: Membership,
    *,
    duplicate: DuplicateForm | None = None,
    transfer: TransferForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = table_page.frame(member) | {
        "may_create": readers.may_create(request.user),
        "duplicate": duplicate or DuplicateForm(label_suffix=""),
        "transfer": transfer or TransferForm(member=member),
        "is_empty": lifecycle.is_empty(member.project),
    }
    return render(request, "annotation/setup/project_actions.html", context, status=status)
