"""Pages on which managers upload a frozen release to the Hugging Face Hub."""

import uuid
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import Membership
from annotation.projects.views import table_page
from releases import tasks
from releases.forms import HubForm
from releases.models import HubUpload, Release
from releases.services import hub
from releases.views import summaries
from releases.views.releases import find

UNPROCESSABLE = 422
UNDER_WAY = (HubUpload.State.WAITING, HubUpload.State.UNDER_WAY)


@sensitive_post_parameters("token")
@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def upload_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Ask where a frozen release is uploaded to, and for a token; a POST requests the upload."""
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
            tasks.wake()
            messages.success(request, _("The release will be uploaded."))
        return redirect("release", project_id, public_id)
    return _ask(request, member, release, form)


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
    return render(request, "annotation/study/parts/release_uploading.html", context)


@gates.signed_in
@require_POST
def cancel_upload(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Cancel an upload that is not over."""
    release = find(gates.manager(request, project_id), public_id)
    try:
        hub.cancel(release, by=request.user)
    except AnnotationError as error:
        messages.warning(request, str(error))
    else:
        messages.success(request, _("The upload is cancelled and its token deleted."))
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


def _ask(request: Request, member: Membership, release: Release, form: HubForm) -> HttpResponse:
    context: dict[str, Any] = table_page.frame(member) | {"release": release, "form": form}
    context |= summaries.declared(release) | {"hub": settings.HUB_ADDRESS}
    if release.manifest is not None:
        context |= summaries.of_manifest(release.manifest)
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/upload_release.html", context, status=status)
