"""Pages of the releases of a project: list, details, build progress, files and withdrawal."""

import uuid
from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import Membership
from annotation.projects.views import table_page
from releases.api import downloads
from releases.dataset.plain_names import plain_name
from releases.forms import ForgetForm, WithdrawalForm
from releases.models import HubUpload, Release
from releases.reading_form import ReadingForm
from releases.selectors import comparisons, study
from releases.selectors.published import is_published_set, set_of_project
from releases.selectors.releases import PUBLISHED, archive_entry, folder_of, name_of
from releases.services.pseudonyms import forget_pseudonyms
from releases.services.publication import withdraw
from releases.translations import selectors as translations
from releases.views import contents, reading, summaries
from releases.views.one_release import ask, find

NOT_FOUND, GONE, UNPROCESSABLE = 404, 410, 422
State = Release.State
UNDER_WAY = (State.QUEUED, State.BUILDING)
# Functions of upper rooms that add to the context of a frozen release.
FURTHER_PARTS: list[Callable[[Release], dict[str, Any]]] = []


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


def page(
    request: Request,
    member: Membership,
    public_id: uuid.UUID,
    *,
    is_missing: bool = False,
    reading_form: ReadingForm | None = None,
) -> HttpResponse:
    """Show a release. If a file was asked for that is missing, say so with status 404.

    `reading_form` was refused: it is shown with its errors and status 422.
    """
    release = find(member, public_id)
    context = table_page.frame(member) | {
        "release": release,
        "chosen": summaries.chosen_settings(release),
        **summaries.declared_metadata(release),
        **summaries.documentation(release),
        "upload": HubUpload.objects.filter(release=release).select_related("asked_by").first(),
        "may_create": readers.may_create(request.user),
        "comparisons": comparisons.comparisons_of_release(release, request.user),
        "translations": translations.sources_of_release(release, request.user),
        "folder": name_of(release),
        "name": release.facts.get("name", release.project.name),
        "is_published_set": is_published_set(release),
    }
    if release.state == State.DRAFT:
        context["waiting_pairs"] = study.waiting_pairs(release.project)
    if release.state not in PUBLISHED:
        context |= summaries.preview_summary(release)
    if release.state == State.DRAFT and is_published_set(release) and context["look"]:
        context |= reading.summary(context["look"], reading_form or reading.form_of(release))
    if release.manifest is not None:
        context |= summaries.manifest_summary(release.manifest)
    if release.state == State.FROZEN:
        context |= _published(release)
    status = GONE if release.state == State.WITHDRAWN else 200
    if is_missing:
        context["is_missing"], status = True, NOT_FOUND
    if reading_form is not None:
        status = UNPROCESSABLE
    return render(request, "releases/release.html", context, status=status)


def _published(release: Release) -> dict[str, Any]:
    context = {
        "files": [
            (path, entry, _name_in_words(path))
            for path, entry in downloads.published_files(release).items()
        ],
        "archive": archive_entry(release),
        "is_missing": not folder_of(release).is_dir(),
        **contents.sample(release),
    }
    if release.manifest is not None:
        context |= contents.of_manifest(release, release.manifest)
        if is_published_set(release):
            context["facts"] = [*reading.facts(release.manifest["counts"])]
    for part in FURTHER_PARTS:
        context |= part(release)
    return context


def _name_in_words(path: str) -> str:
    """Return the name of a table, which the page has explained, or the name with its sentence."""
    name, about = map(_, plain_name(path))
    return name if path.endswith((".tsv", ".parquet")) else f"{name}. {about}"


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
