"""The forms of published sets: a new one, a next version, and how the files of a draft are read."""

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.imports.kinds import LARGEST_FILE
from common.bodies import LONG_TEXTS, REST_OF_FORM, takes_up_to
from common.messages import wake_worker
from releases.models import Release
from releases.published_forms import SetForm, VersionForm, values_about
from releases.selectors.published import is_published_set, set_of_project
from releases.selectors.releases import next_version
from releases.services import published_drafts
from releases.views import reading
from releases.views.one_release import ask, find
from releases.views.release_page import page

NOT_STORED = _(
    "The server couldn’t store the files. Its disk may be full: ask the administrator to free some "
    "space."
)


def creator_sends(request: HttpRequest) -> None:
    """Let those who may create projects send the files of a set. Raises Http404."""
    if not (request.user.is_authenticated and readers.may_create(request.user)):
        raise Http404


@takes_up_to(LARGEST_FILE + REST_OF_FORM, gate=creator_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create_set(request: Request) -> HttpResponse:
    """Ask for a set, or make its project with a draft."""
    creator_sends(request)
    form = SetForm(*_sent(request), label_suffix="")
    if form.is_valid():
        create = partial(published_drafts.create_set, form.cleaned_data["name"])
        if release := _create(create, form, request):
            return redirect("release", release.project.public_id, release.public_id)
    return ask(request, None, form, "releases/published_set")


@takes_up_to(LARGEST_FILE + REST_OF_FORM, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def create_version(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Ask for the files of a next version of a set; what was said of the last one still counts."""
    member = gates.manager(request, project_id)
    if set_of_project(member.project) is None:
        raise Http404
    last = member.project.releases.first()
    suggested = values_about(last) if last else {}
    suggested["version"] = next_version(member.project)
    form = VersionForm(*_sent(request), initial=suggested, label_suffix="")
    if form.is_valid():
        create = partial(published_drafts.create_next, member.project)
        if release := _create(create, form, request):
            return redirect("release", project_id, release.public_id)
    return ask(request, member, form, "releases/published_set")


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def read_again(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Let the files of a draft be read as its page says."""
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    is_draft = is_published_set(release) and release.state == Release.State.DRAFT
    if not is_draft or request.method != "POST":
        return redirect("release", project_id, public_id)
    form = reading.form_of(release, request.POST)
    if form.is_valid():
        try:
            published_drafts.change_choices(
                release, form.choices(), metadata=form.metadata(), by=request.user
            )
        except AnnotationError as error:
            form.add_error(None, str(error))
        else:
            wake_worker()
            return redirect("release", project_id, public_id)
    return page(request, member, public_id, reading_form=form)


def _sent(request: Request) -> tuple[Any, Any]:
    """Return the fields and files that were sent, if any were."""
    return (request.POST, request.FILES) if request.method == "POST" else (None, None)


def _create(create: Callable[..., Release], form: VersionForm, request: Request) -> Release | None:
    """Create a draft; None, with the reason in the form, if it is refused."""
    version = form.cleaned_data["version"]
    try:
        release = create(
            form.uploads(),
            version=version,
            metadata=form.metadata(),
            by=request.user,
        )
    except ValidationError as error:
        for field, errors in error.error_dict.items():
            form.add_error(field if field in form.fields else None, errors)
    except AnnotationError as error:
        form.add_error(None, str(error))
    except OSError:
        form.add_error("set_files", NOT_STORED)
    else:
        wake_worker()
        return release
    return None
