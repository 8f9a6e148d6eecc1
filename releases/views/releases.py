"""Pages of the releases of a project: list, details, build progress, files and withdrawal."""

import uuid
from collections.abc import Callable
from typing import cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import Membership
from annotation.projects.views import table_page
from releases.api import downloads
from releases.forms import ForgetForm, WithdrawalForm
from releases.models import Release
from releases.selectors import comparisons, study
from releases.selectors.published import set_of_project
from releases.selectors.releases import PUBLISHED
from releases.services.pseudonyms import forget_pseudonyms
from releases.services.publication import withdraw
from releases.views import summaries
from releases.views.one_release import ask, find
from releases.views.release_page import page

State = Release.State
UNDER_WAY = (State.QUEUED, State.BUILDING)


@gates.signed_in
@require_safe
def releases(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    rows = [*map(summaries.list_row, member.project.releases.all())]
    comparison = comparisons.comparison_of_project(member.project)
    context = table_page.frame(member) | {
        "releases": rows,
        "kept": 0 if rows else study.kept_pairs(member.project),
        "comparison": None if comparison and comparison.measures_labels else comparison,
        "published_set": set_of_project(member.project),
    }
    return render(request, "releases/releases.html", context)


@gates.signed_in
@require_safe
def release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Show a release in any state. A withdrawn one has status 410."""
    return page(request, gates.reader(request, project_id), public_id)


@gates.signed_in
@require_safe
def release_progress(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Render the progress of a build; when it is over, reload the whole page."""
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if not request.htmx:
        return redirect("release", project_id, public_id)
    if release.state not in UNDER_WAY:
        return HttpResponseClientRefresh()
    context = table_page.frame(member) | {"release": release}
    return render(request, "releases/parts/building.html", context)


@gates.signed_in
@require_safe
def release_file(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID, path: str
) -> HttpResponse:
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if release.state == State.WITHDRAWN:
        return page(request, member, public_id)
    return _send(request, member, release, downloads.send_file, path)


@gates.signed_in
@require_safe
def release_archive(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if release.state == State.WITHDRAWN:
        return page(request, member, public_id)
    return _send(request, member, release, downloads.send_archive)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state != State.FROZEN:
        return redirect("release", project_id, public_id)
    form = WithdrawalForm(request.POST if request.method == "POST" else None, label_suffix="")
    if not form.is_valid():
        return ask(request, member, form, "releases/withdraw", release=release)
    try:
        withdraw(release, by=request.user, reason=form.cleaned_data["reason"])
    except AnnotationError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, _("The release is withdrawn. Its files are deleted."))
    return redirect("release", project_id, public_id)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def forget_names(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state not in PUBLISHED or release.names_forgotten_at is not None:
        return redirect("release", project_id, public_id)
    form = ForgetForm(request.POST if request.method == "POST" else None, label_suffix="")
    if not form.is_valid():
        return ask(request, member, form, "releases/forget_names", release=release)
    forget_pseudonyms(release, by=request.user)
    messages.success(request, _("The identity mapping of this release was removed."))
    return redirect("release", project_id, public_id)


def _send(
    request: Request,
    member: Membership,
    release: Release,
    send: Callable[..., downloads.Reply],
    *path: str,
) -> HttpResponse:
    """Send a file as the REST API does, or show the page, which says that files are missing."""
    try:
        # Only the type stubs require the cast.
        return cast(HttpResponse, send(request, release, *path, by=request.user))
    except downloads.MissingFile:
        return page(request, member, release.public_id, is_missing=True)
