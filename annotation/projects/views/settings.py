"""The settings of a project, a page for each section."""

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

from annotation.access import gates, readers
from annotation.access.gates import UNPROCESSABLE, Request
from annotation.models import Membership, Project
from annotation.people.selectors import workforce
from annotation.projects.forms.projects import SettingsForm
from annotation.projects.selectors import progress
from annotation.projects.services import lifecycle, projects
from annotation.projects.views import project_form
from common.bodies import LONG_TEXTS, takes_up_to

CONFLICT = 409


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
