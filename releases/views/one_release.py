"""What pages about one release share: finding it, its forms, and studies that begin with it."""

import uuid
from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError
from django.forms import Form
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, render

from annotation.access import gates
from annotation.access.gates import Request
from annotation.errors import AnnotationError
from annotation.models import Membership
from annotation.projects.views import table_page
from releases.models import Release
from releases.selectors.releases import PUBLISHED

T = TypeVar("T")


def find(member: Membership, public_id: uuid.UUID) -> Release:
    """Return a release of the member's project. Raises Http404."""
    release = get_object_or_404(Release, project=member.project, public_id=public_id)
    release.project = member.project
    return release


def find_published(member: Membership, public_id: uuid.UUID) -> Release:
    """Return a release of the member's project that was frozen. Raises Http404."""
    release = find(member, public_id)
    if release.state not in PUBLISHED:
        raise Http404
    return release


def ask(
    request: Request, member: Membership | None, form: Form, template: str, **context: Any
) -> HttpResponse:
    """Show a form, with status 422 if what was sent is refused; None for one of no project."""
    context |= {"form": form} | (table_page.frame(member) if member else {})
    status = gates.UNPROCESSABLE if form.is_bound else 200
    return render(request, f"{template}.html", context, status=status)


def create_study(
    create: Callable[..., T], request: Request, release: Release, form: forms.Form
) -> T | None:
    """Create a study of a release; None, with the reason in the form, if it is refused."""
    user = request.user
    try:
        return create(release, **form.cleaned_data, managers=[user], by=user)
    except ValidationError as error:
        form.add_error("name", error.messages[0])
    except AnnotationError as error:
        form.add_error(None, str(error))
    return None
