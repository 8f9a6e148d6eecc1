"""The page of a release in any state."""

import uuid
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.models import Membership
from annotation.projects.views import table_page
from releases.api import downloads
from releases.dataset.plain_names import plain_name
from releases.models import HubUpload, Release
from releases.reading_form import ReadingForm
from releases.selectors import comparisons, study
from releases.selectors.published import is_published_set
from releases.selectors.releases import PUBLISHED, archive_entry, folder_of, name_of
from releases.translations import selectors as translations
from releases.views import contents, reading, summaries
from releases.views.one_release import find

NOT_FOUND, GONE = 404, 410
State = Release.State
# Functions of upper rooms that add to the context of a frozen release.
FURTHER_PARTS: list[Callable[[Release], dict[str, Any]]] = []


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
        status = gates.UNPROCESSABLE
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
