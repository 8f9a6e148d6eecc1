"""The settings of a project, and pages to open, copy, hand over, archive or delete it."""

import copy
import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.errors import Refused
from annotation.models import Membership, Project
from annotation.people.selectors import workforce
from annotation.people.services import members
from annotation.projects.forms.projects import (
    DeleteForm,
    DuplicateForm,
    OpenForm,
    SettingsForm,
    TransferForm,
)
from annotation.projects.selectors import progress
from annotation.projects.services import lifecycle, projects
from annotation.projects.views import project_form, table_page
from common.bodies import LONG_TEXTS, takes_up_to

CONFLICT, UNPROCESSABLE = 409, 422


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def project_settings(request: Request, project_id: uuid.UUID, page: str) -> HttpResponse:
    member = gates.manager(request, project_id, texts=True)
    form = SettingsForm(request.POST or None, instance=copy.copy(member.project), page=page)
    return edit(request, member, form)


def edit(request: Request, member: Membership, form: SettingsForm) -> HttpResponse:
    """Show or save the settings of a page, without overwriting concurrent changes."""
    if request.method != "POST":
        return _settings_page(request, member, form)
    if not form.is_valid():
        read = request.POST.get("read", "")
        return _settings_page(request, member, form, status=UNPROCESSABLE, read=read)
    return _save(request, member, form)


def _save(request: Request, member: Membership, form: SettingsForm) -> HttpResponse:
    read = request.POST.get("read", "")
    stopped = workforce.stopped_by_settings(member.project, form.settings())
    if stopped.names and request.POST.get("stops") != str(len(stopped.names)):
        return _settings_page(request, member, form, status=CONFLICT, read=read, stopped=stopped)
    try:
        changed = form.store(member.project, by=request.user, read=read)
    except projects.Stale as stale:
        member.project.refresh_from_db()
        return _settings_page(request, member, form, status=CONFLICT, stale=stale.fields)
    except ValidationError as error:
        form.add_error(None, error)
        return _settings_page(request, member, form, status=UNPROCESSABLE, read=read)
    _report_changes(request, member.project, changed)
    return redirect(request.path)


def _report_changes(request: Request, project: Project, changed: list[str]) -> None:
    messages.success(request, _("Saved.") if changed else _("No changes to save."))
    if "consent" not in changed or not Project.objects.exclude(consent="").filter(pk=project.pk):
        return
    people = progress.set_sizes(project)["people"]
    text = ngettext(
        "%(people)s person must accept the new text before continuing.",
        "%(people)s people must accept the new text before continuing.",
        people,
    )
    messages.info(request, text % {"people": people})


def _settings_page(
    request: Request,
    member: Membership,
    form: SettingsForm,
    *,
    status: int = 200,
    read: str | None = None,
    stale: list[str] | None = None,
    stopped: workforce.Stopped | None = None,
) -> HttpResponse:
    """Show the page. Pass `read` while the form is unsaved; after a conflict, use a new stamp."""
    project = member.project
    context = {
        "project": project,
        "manages": True,
        "form": form,
        "read": form.stamp(project) if read is None else read,
        "stale": form.newer_values(project, stale or []),
        "stopped": stopped,
    } | _more_of_page(request, form)
    return render(request, "annotation/setup/project_settings.html", context, status=status)


def _more_of_page(request: Request, form: SettingsForm) -> dict[str, Any]:
    """Return what else the template of the page shows."""
    if form.page == "study":
        is_empty = lifecycle.is_empty(form.instance)
        return {"is_empty": is_empty, "may_create": readers.may_create(request.user)}
    if form.page == "protocol":
        return {"protocol": project_form.in_words(form)}
    return {} if form.page == "work" else {"sets": progress.set_sizes(form.instance)}


@gates.signed_in
@require_safe
def project_actions(request: Request, project_id: uuid.UUID) -> HttpResponse:
    return _actions_page(request, gates.manager(request, project_id))


@gates.signed_in
@require_POST
def open_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Open the project for work, or close it; closing that stops people is confirmed first."""
    member = gates.manager(request, project_id)
    form = OpenForm(request.POST)
    form.full_clean()
    is_open = form.cleaned_data["is_open"]
    if not is_open and not form.cleaned_data["confirmed"]:
        stopped = workforce.stopped_by_closing(member.project)
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
        return _actions_page(request, member, duplicate=form, status=UNPROCESSABLE)
    try:
        copy = lifecycle.duplicate(member.project, **form.cleaned_data, by=request.user)
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("project_actions", project_id)
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
        return _actions_page(request, member, transfer=form, status=UNPROCESSABLE)
    messages.success(request, _("Project transferred. You can still read its results."))
    return redirect("overview", project_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def archive_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask before archiving, with the number of people whose work stops; a POST archives."""
    member = gates.manager(request, project_id)
    if request.method != "POST":
        return _confirm(request, member, "archive", workforce.stopped_by_closing(member.project))
    lifecycle.archive(member.project, by=request.user)
    messages.success(request, _("Project archived. It is listed below your other projects."))
    return redirect("home")


@gates.signed_in
@require_POST
def restore_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
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
    request: Request, member: Membership, step: str, stopped: workforce.Stopped
) -> HttpResponse:
    context = table_page.frame(member) | {"step": step, "stopped": stopped}
    return render(request, "annotation/setup/stop_project.html", context)


def _actions_page(
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
    }
    return render(request, "annotation/setup/project_actions.html", context, status=status)
