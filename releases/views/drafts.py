"""Pages of a dataset up to its release: what is planned, drafts, previews, building, uploads."""

import copy
import uuid
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import HiddenInput
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.functional import Promise
from django.utils.text import slugify
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import JudgingModel, Membership, Project
from annotation.projects.services import lifecycle
from annotation.projects.views import settings as settings_pages
from annotation.projects.views import table_page
from annotation.work import judge
from common.bodies import LONG_TEXTS, takes_up_to
from common.messages import wake_worker
from releases.dataset.metadata import Metadata
from releases.documentation_forms import DocumentationForm
from releases.forms import HubForm, ReleaseForm, TranslationReleaseForm, VersionForm, initial_values
from releases.metadata_forms import MetadataForms, StudyForm
from releases.models import HubUpload, Release, ReleasePreview
from releases.selectors import study
from releases.selectors.published import is_published_set, set_of_project
from releases.selectors.releases import (
    any_settings_of,
    metadata_of,
    names_by_licence,
    next_metadata,
    next_version,
    rewritten_corpora,
)
from releases.selectors.study import latest_reasons
from releases.services import drafts, hub
from releases.translations import selectors as translations
from releases.views import summaries
from releases.views.one_release import ask, find
from releases.views.summaries import preview_summary

LOOKING = (ReleasePreview.State.WAITING, ReleasePreview.State.UNDER_WAY)
UNDER_WAY = (HubUpload.State.WAITING, HubUpload.State.UNDER_WAY)


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def study_settings(request: Request, project_id: uuid.UUID) -> HttpResponse:
    """Show or save the first page of the settings, where a dataset is planned."""
    member = gates.manager(request, project_id, texts=True)
    form = StudyForm(request.POST or None, instance=copy.copy(member.project), page="study")
    return settings_pages.edit(request, member, form)


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def draft_release(request: Request, project_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    if set_of_project(member.project):
        return redirect("create_version", project_id)
    try:
        settings = drafts.proposed_settings(member.project)
    except ValueError as error:  # the files of the release that it translates are missing
        messages.warning(request, str(error))
        return redirect("releases", project_id)
    values = initial_values(settings, version=next_version(member.project))
    metadata = next_metadata(member.project)
    return _draft_form(
        request, member, values, metadata, partial(drafts.create_draft, member.project)
    )


@takes_up_to(LONG_TEXTS, gate=gates.manager_sends)
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def edit_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state != Release.State.DRAFT:
        return redirect("release", project_id, public_id)
    if is_published_set(release):
        return redirect("read_again", project_id, public_id)
    values = initial_values(any_settings_of(release), version=release.version)
    metadata = metadata_of(release)
    return _draft_form(
        request, member, values, metadata, partial(drafts.change_draft, release), release
    )


@gates.signed_in
@require_safe
def preview_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if not request.htmx:
        return redirect("release", project_id, public_id)
    context = table_page.frame(member) | {"release": release} | preview_summary(release)
    look = context["look"]
    if release.state != Release.State.DRAFT or look is None or look.state not in LOOKING:
        return HttpResponseClientRefresh()
    return render(request, "releases/parts/looking.html", context)


@gates.signed_in
@require_POST
def release_step(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID, step: str
) -> HttpResponse:
    release = find(gates.manager(request, project_id), public_id)
    if step not in STEPS:
        raise Http404
    take, text = STEPS[step]
    try:
        take(release, by=request.user)
    except AnnotationError as error:
        messages.warning(request, str(error))
    else:
        wake_worker()
        messages.success(request, str(text))
        if step == "discard":
            # A published set without a version holds nothing: its page asks whether to delete it.
            is_left_empty = is_published_set(release) and lifecycle.is_empty(release.project)
            return redirect("delete_project" if is_left_empty else "releases", project_id)
    return redirect("release", project_id, public_id)


# Of each step: the service, and what the page then says.
STEPS: dict[str, tuple[Callable[..., None], str | Promise]] = {
    "look": (
        lambda release, **_by: drafts.request_preview(release),
        _("A new preview was requested."),
    ),
    "build": (drafts.queue_draft, _("The release will be built.")),
    "take-back": (drafts.return_to_draft, _("Returned to draft.")),
    "discard": (drafts.discard, _("Draft discarded.")),
}


def _draft_form(
    request: Request,
    member: Membership,
    values: dict[str, Any],
    metadata: Metadata,
    save: Callable[..., Release],
    release: Release | None = None,
) -> HttpResponse:
    """Show the form with these values, or save what was sent; errors are added to the form."""
    sent = request.POST if request.method == "POST" else None
    reasons = list(latest_reasons(member.project))
    form = _form_for(member.project, sent, values, has_reasons=bool(reasons))
    corpora = names_by_licence(rewritten_corpora(member.project))
    metadata_forms = MetadataForms(sent, metadata, corpora=corpora)
    documentation = DocumentationForm(sent, metadata.documentation, member.project, draft=release)
    if all([form.is_valid(), metadata_forms.is_valid(), documentation.is_valid()]):
        declared = replace(metadata_forms.metadata(), documentation=documentation.documentation())
        choices = form.choices() | {"metadata": declared}
        try:
            saved = save(version=form.cleaned_data["version"], by=request.user, **choices)
        except ValidationError as error:
            _add_errors(form, error)
        except (AnnotationError, ValueError) as error:
            form.add_error(None, str(error))
        else:
            wake_worker()
            return redirect("release", member.project.public_id, saved.public_id)
    context = {"release": release, "declared": metadata_forms, "documentation": documentation}
    names = [judge.name_of(reason.label, member.project) for reason in reasons]
    shown_reasons = list(zip(names, reasons, strict=True))
    return ask(request, member, form, "releases/form", reasons=shown_reasons, **context)


def _form_for(
    project: Project, sent: Any, values: dict[str, Any], *, has_reasons: bool
) -> ReleaseForm | TranslationReleaseForm:
    """Return the form of a draft without what the project does not allow."""
    if translations.source_of_project(project):
        return TranslationReleaseForm(sent, initial=values, label_suffix="")
    form = ReleaseForm(sent, initial=values, label_suffix="")
    if not project.scheme.composes:
        form.leave_out_sides()
    models = JudgingModel.objects.filter(project=project) if project.scheme.decides else ()
    form.offer_models([str(model) for model in models])
    if not project.scheme.decides:
        del form.fields["skill"]
    if not has_reasons:
        del form.fields["reasons"]
    if "depth" in form.fields and not study.has_back_translations(project):
        form.fields["depth"].widget = HiddenInput()
    return form


def _add_errors(form: VersionForm, error: ValidationError) -> None:
    for field, errors in error.error_dict.items():
        for problem in errors:
            if problem.code == "unique_together":
                form.add_error("version", _now("A release with this version already exists."))
            else:
                form.add_error(field if field in form.fields else None, problem)


@sensitive_post_parameters("token")
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def upload_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state != Release.State.FROZEN:
        return redirect("release", project_id, public_id)
    sent = request.POST if request.method == "POST" else None
    form = HubForm(sent, initial=_initial(release), label_suffix="")
    if form.is_valid():
        try:
            hub.request(release, by=request.user, **form.choices())
        except AnnotationError as error:
            messages.warning(request, str(error))
        else:
            wake_worker()
            messages.success(request, _now("The release will be uploaded."))
        return redirect("release", project_id, public_id)
    about = {
        "release": release,
        "hub": settings.HUB_ADDRESS,
        **summaries.declared_metadata(release),
    }
    if release.manifest is not None:
        about |= summaries.manifest_summary(release.manifest)
    return ask(request, member, form, "releases/upload", **about)


@gates.signed_in
@require_safe
def upload_progress(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Render the progress of an upload; when it is over, reload the whole page."""
    member = gates.reader(request, project_id)
    release = find(member, public_id)
    if not request.htmx:
        return redirect("release", project_id, public_id)
    upload = HubUpload.objects.filter(release=release, state__in=UNDER_WAY).first()
    if upload is None:
        return HttpResponseClientRefresh()
    context = table_page.frame(member) | {"release": release, "upload": upload}
    return render(request, "releases/parts/uploading.html", context)


@gates.signed_in
@require_POST
def cancel_upload(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    release = find(gates.manager(request, project_id), public_id)
    try:
        hub.cancel(release, by=request.user)
    except AnnotationError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, _now("The upload is cancelled and its token deleted."))
    return redirect("release", project_id, public_id)


def _initial(release: Release) -> dict[str, str]:
    """Suggest the repository of the project's last upload; new ones are private."""
    last = HubUpload.objects.filter(release__project=release.project).order_by("-asked_at").first()
    if last is None:
        return {"repository": f"/{slugify(release.project.name)}"}
    return {
        "repository": last.repository,
        "visibility": "private" if last.is_private else "public",
    }
