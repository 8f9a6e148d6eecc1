"""Pages to open, copy, hand over, archive or delete a project."""

import uuid
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models import Membership, Project, Role
from annotation.people.selectors import workforce
from annotation.people.services import members
from annotation.projects.services import lifecycle, projects
from annotation.projects.views import table_page


class OpenForm(forms.Form):
    """Whether the project is open for work."""

    is_open = forms.BooleanField(required=False)
    confirmed = forms.BooleanField(required=False)


class DuplicateForm(forms.Form):
    """The name of a duplicate, which no other project has."""

    name = forms.CharField(label=gettext_lazy("Name of the duplicate"), max_length=100)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Project.objects.filter(name=name).exists():
            raise forms.ValidationError(_("Another project has this name. Choose a new one."))
        return name


class MemberField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, member: Membership) -> str:
        return member.user.get_username()


class TransferForm(forms.Form):
    """Another member who becomes the manager."""

    to = MemberField(
        Membership.objects.none(),
        label=gettext_lazy("New manager"),
        empty_label=gettext_lazy("Choose"),
    )

    def __init__(self, *args: Any, member: Membership, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        others = member.project.memberships.exclude(pk=member.pk).exclude(role=Role.REMOVED)
        able = others.filter(user__is_active=True, user__is_simulated=False)
        self.fields["to"].queryset = able.select_related("user").order_by("user__username")  # type: ignore[attr-defined]


class DeleteForm(forms.Form):
    """The name of the project, typed again."""

    name = forms.CharField(label=gettext_lazy("Type the name of the project"), max_length=100)

    def __init__(self, *args: Any, project: Project, **options: Any) -> None:
        super().__init__(*args, **options | {"label_suffix": ""})
        self.project = project

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name != self.project.name:
            raise forms.ValidationError(_("This doesn’t match the project’s name."))
        return name


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
    with table_page.refusal_shown(request):
        copy = lifecycle.duplicate(member.project, **form.cleaned_data, by=request.user)
        messages.success(request, _("Project duplicated. You’re its manager."))
        return redirect("project_settings", copy.public_id)
    return redirect("project_actions", project_id)


@gates.signed_in
@require_POST
def transfer_project(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Make another member the manager; the requester stays as a researcher."""
    member = gates.manager(request, project_id)
    form = TransferForm(request.POST, member=member)
    if form.is_valid():
        with table_page.refusal_in(form, "to"):
            members.transfer(member, to=form.cleaned_data["to"], by=request.user)
            messages.success(request, _("Project transferred. You can still read its results."))
            return redirect("overview", project_id)
    return _actions_page(request, member, transfer=form, status=UNPROCESSABLE)


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
        with table_page.refusal_in(form):
            lifecycle.delete(member.project, by=request.user)
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
