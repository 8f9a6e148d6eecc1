"""Pages of draft releases: their settings, their preview and building them."""

import uuid
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import Membership
from annotation.projects.views import table_page
from releases import services as releases
from releases import tasks
from releases.dataset.settings import ReleaseSettings
from releases.forms import ReleaseForm, initial
from releases.models import Release
from releases.selectors.releases import next_version, settings_of
from releases.views.releases import find
from releases.views.summaries import previewed

UNPROCESSABLE = 422
FORM = "annotation/study/release_form.html"


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def draft_release(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show or process the form for a new version, prefilled from the last release."""
    member = gates.manager(request, project_id)
    project = member.project
    if request.method != "POST":
        last = project.releases.first()
        settings = settings_of(last) if last else ReleaseSettings()
        version = next_version(project)
        return _form(request, member, ReleaseForm(initial=initial(settings, version=version)))
    form, made = ReleaseForm(request.POST), []

    def make(version: str, choices: dict[str, Any]) -> None:
        made.append(releases.draft(project, version=version, by=request.user, **choices))
        tasks.wake()

    if not _done(form, make):
        return _form(request, member, form, status=UNPROCESSABLE)
    return redirect("release", project_id, made[0].public_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def edit_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show or process the form for an existing draft."""
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state != Release.State.DRAFT:
        return redirect("release", project_id, public_id)
    if request.method != "POST":
        values = initial(settings_of(release), version=release.version)
        return _form(request, member, ReleaseForm(initial=values), release=release)
    form = ReleaseForm(request.POST)

    def change(version: str, choices: dict[str, Any]) -> None:
        releases.change(release, version=version, by=request.user, **choices)
        tasks.wake()

    if not _done(form, change):
        return _form(request, member, form, release=release, status=UNPROCESSABLE)
    return redirect("release", project_id, public_id)


@gates.signed_in
@require_safe
def preview_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Render the preview of a draft, or its progress, as part of the draft's page."""
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if not request.htmx:
        return redirect("release", project_id, public_id)
    if release.state != Release.State.DRAFT:
        return HttpResponseClientRefresh()
    context = table_page.frame(member) | {"release": release} | previewed(release)
    return render(request, "annotation/study/parts/release_previewed.html", context)


@gates.signed_in
@require_POST
def release_step(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID, step: str
) -> HttpResponse:
    """Run a step on a release: preview, build, return to draft or discard."""
    release = find(gates.manager(request, project_id), public_id)
    if step not in STEPS:
        raise Http404
    take, text = STEPS[step]
    try:
        take(release, by=request.user)
    except AnnotationError as error:
        messages.warning(request, str(error))
    else:
        tasks.wake()
        messages.success(request, str(text))
    if step == "discard":
        return redirect("releases", project_id)
    return redirect("release", project_id, public_id)


# Of each step: the service, and what the page then says.
STEPS: dict[str, tuple[Callable[..., None], str | Promise]] = {
    "look": (
        lambda release, **_by: releases.request_preview(release),
        _("A new preview was requested."),
    ),
    "build": (releases.queue, _("The release will be built.")),
    "take-back": (releases.take_back, _("Returned to draft.")),
    "discard": (releases.discard, _("Draft discarded.")),
}


def _done(form: ReleaseForm, act: Callable[[str, dict[str, Any]], None]) -> bool:
    """Run `act` with a valid form and return whether it succeeded; errors are added to the form."""
    if not form.is_valid():
        return False
    try:
        act(form.cleaned_data["version"], form.choices())
    except ValidationError:
        form.add_error("version", _now("A release with this version already exists."))
    except (AnnotationError, ValueError) as error:
        form.add_error(None, str(error))
    return form.is_valid()


def _form(
    request: Request,
    member: Membership,
    form: ReleaseForm,
    *,
    release: Release | None = None,
    status: int = 200,
) -> HttpResponse:
    form.label_suffix = ""
    context = table_page.frame(member) | {"form": form, "release": release}
    return render(request, FORM, context, status=status)
