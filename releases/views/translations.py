"""The form on a release that creates a translation study (PAWS-X 2)."""

import uuid
from collections.abc import Callable
from typing import TypeVar

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from annotation.access import gates, readers
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.translations.languages import LANGUAGES
from releases.models import Release
from releases.selectors import translations as selectors
from releases.services import translations
from releases.translation_forms import TranslationForm
from releases.views.releases import ask, find

T = TypeVar("T")


@gates.signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def translate_release(
    request: Request, project_id: uuid.UUID, public_id: uuid.UUID
) -> HttpResponse:
    member = gates.manager(request, project_id)
    if not readers.may_create(request.user):
        raise Http404
    release = find(member, public_id)
    if release.state != Release.State.FROZEN:
        return redirect("release", project_id, public_id)
    sent = request.POST if request.method == "POST" else None
    form = TranslationForm(sent, label_suffix="")
    if form.is_valid() and (study := created(translations.create, request, release, form)):
        messages.success(request, _("Project created. Invite the people who are to translate."))
        return redirect("overview", study.public_id)
    available = {split: selectors.pairs_of(release, split).count() for split in selectors.SPLITS}
    about = {"release": release, "languages": LANGUAGES, "available": available}
    return ask(request, member, form, "translate_release", **about)


def created(create: Callable[..., T], request: Request, release: Release, form: Form) -> T | None:
    """Create a study of a release; None, with the reason in the form, if it is refused."""
    user = request.user
    try:
        return create(release, **form.cleaned_data, managers=[user], by=user)
    except ValidationError as error:
        form.add_error("name", error.messages[0])
    except AnnotationError as error:
        form.add_error(None, str(error))
    return None
