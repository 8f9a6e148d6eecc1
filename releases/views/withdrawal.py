"""Pages that withdraw a release or remove its identity mapping, after confirmation."""

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.projects.views import table_page
from releases import services as releases
from releases.forms import ForgetForm, WithdrawalForm
from releases.models import Release
from releases.services import pseudonyms
from releases.views.releases import find

UNPROCESSABLE = 422
State = Release.State


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_release(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Ask for confirmation and a reason; a POST with a reason withdraws the release."""
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    if release.state != State.FROZEN:
        return redirect("release", project_id, public_id)
    form = WithdrawalForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        try:
            releases.withdraw(release, by=request.user, reason=form.cleaned_data["reason"])
        except AnnotationError as error:
            messages.warning(request, str(error))
        else:
            messages.success(request, _("The release is withdrawn. Its files are deleted."))
        return redirect("release", project_id, public_id)
    context = table_page.frame(member) | {"release": release, "form": form}
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/withdraw_release.html", context, status=status)


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def forget_names(request: Request, project_id: uuid.UUID, public_id: uuid.UUID) -> HttpResponse:
    """Ask for confirmation; a confirmed POST removes the identity mapping."""
    member = gates.manager(request, project_id)
    release = find(member, public_id)
    is_published = release.state in (State.FROZEN, State.WITHDRAWN)
    if not is_published or release.names_forgotten_at is not None:
        return redirect("release", project_id, public_id)
    form = ForgetForm(request.POST if request.method == "POST" else None, label_suffix="")
    if form.is_valid():
        pseudonyms.forget(release, by=request.user)
        messages.success(request, _("Nobody can tell any more who is who in this release."))
        return redirect("release", project_id, public_id)
    context = table_page.frame(member) | {"release": release, "form": form}
    status = UNPROCESSABLE if form.is_bound else 200
    return render(request, "annotation/study/forget_names.html", context, status=status)
