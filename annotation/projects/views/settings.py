"""The settings of a project, and its runs."""

import copy
import uuid
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import Request
from annotation.models import Membership, Project
from annotation.projects.forms.projects import SettingsForm
from annotation.projects.selectors import progress, stopping
from annotation.projects.services import projects
from annotation.projects.views import project_form

CONFLICT, UNPROCESSABLE = 409, 422


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def project_settings(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Edit all settings in one form, without overwriting concurrent changes."""
    member = gates.manager(request, project_id)
    form = SettingsForm(request.POST or None, instance=copy.copy(member.project))
    if request.method != "POST":
        return _settings(request, member, form)
    if not form.is_valid():
        read = request.POST.get("read", "")
        return _settings(request, member, form, status=UNPROCESSABLE, read=read)
    return _save(request, member, form)


def _save(request: Request, member: Membership, form: SettingsForm) -> HttpResponse:
    read = request.POST.get("read", "")
    stopped = stopping.by_settings(member.project, form.settings())
    if stopped.names and request.POST.get("stops") != str(len(stopped.names)):
        return _settings(request, member, form, status=CONFLICT, read=read, stopped=stopped)
    try:
        changed = projects.change(member.project, form.settings(), by=request.user, read=read)
    except projects.Stale as stale:
        member.project.refresh_from_db()
        return _settings(request, member, form, status=CONFLICT, stale=stale.fields)
    except ValidationError as error:
        form.add_error(None, error)
        return _settings(request, member, form, status=UNPROCESSABLE, read=read)
    _tell(request, member.project, changed)
    return redirect("project_settings", member.project.public_id)


def _tell(request: Request, project: Project, changed: list[str]) -> None:
    messages.success(request, _("Saved.") if changed else _("No changes to save."))
    if "consent" not in changed or not Project.objects.exclude(consent="").filter(pk=project.pk):
        return
    people = progress.sets(project)["people"]
    text = ngettext(
        "%(people)s person must accept the new text before continuing.",
        "%(people)s people must accept the new text before continuing.",
        people,
    )
    messages.info(request, text % {"people": people})


def _settings(
    request: Request,
    member: Membership,
    form: SettingsForm,
    *,
    status: int = 200,
    read: str | None = None,
    stale: list[str] | None = None,
    stopped: stopping.Stopped | None = None,
) -> HttpResponse:
    """Show the page. Pass `read` while the form is unsaved; after a conflict, use a new stamp."""
    project = member.project
    context = {
        "project": project,
        "manages": True,
        "form": form,
        "read": projects.stamp(project) if read is None else read,
        "stale": _differing(project, form, stale or []),
        "stopped": stopped,
        "protocol": project_form.in_words(form),
        "is_fixed": form.fields["seed"].disabled,
        "sets": progress.sets(project),
    }
    return render(request, "annotation/setup/project_settings.html", context, status=status)


def _differing(project: Project, form: SettingsForm, names: list[str]) -> list[dict[str, str]]:
    """Return values that another person saved in the meantime, as the form shows them."""
    found = []
    for name in names:
        field: Any = Project._meta.get_field(name)
        value = _shown(form, name, getattr(project, name))
        found.append({"label": field.verbose_name, "value": value})
    return found


def _shown(form: SettingsForm, name: str, value: Any) -> str:
    """Format a value as its field shows it."""
    choices = dict(getattr(form.fields.get(name), "choices", []))
    if isinstance(value, dict):
        return ", ".join(f"{key}: {each}" for key, each in value.items()) or "–"
    if isinstance(value, list):
        return ", ".join(str(choices.get(each, each)) for each in value) or "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(choices.get(value, value)) if value not in (None, "") else "–"
