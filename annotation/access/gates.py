"""Access checks: every view calls one of these first."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from annotation.access import selectors
from annotation.models import Duty, Membership

Args = ParamSpec("Args")


class Request(HttpRequest):
    """A request of a signed-in user, with the attributes that the middleware adds."""

    user: User
    htmx: HtmxDetails
    session: SessionBase


def signed_in(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Redirect anonymous users to the sign-in page; with htmx, redirect the whole page."""

    @wraps(view)
    def gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(cast(Request, request), *args, **kwargs)
        htmx = cast(Request, request).htmx
        if not htmx:
            return redirect_to_login(request.get_full_path())
        to_login = redirect_to_login(htmx.current_url_abs_path or resolve_url("home"))
        return HttpResponseClientRedirect(to_login.url)

    return gate


def member(request: Request, project_id: uuid.UUID) -> Membership:
    """Return the user's membership. Raises Http404 if they have none."""
    try:
        return selectors.membership_of(request.user, project_id)
    except Membership.DoesNotExist as error:
        raise Http404 from error


def duty(request: Request, project_id: uuid.UUID, kind: str) -> Duty:
    """Return the user's duty of this kind. Raises Http404 if they may not do it."""
    try:
        return selectors.duty_of(request.user, project_id, kind)
    except Duty.DoesNotExist as error:
        raise Http404 from error


def reader(request: Request, project_id: uuid.UUID) -> Membership:
    """Return the membership of a manager or researcher. Raises Http404 otherwise."""
    found = member(request, project_id)
    return _if_allowed(found, allowed=found.role != Membership.Role.ANNOTATOR)


def manager(request: Request, project_id: uuid.UUID) -> Membership:
    """Return the membership of a manager. Raises Http404 otherwise."""
    found = member(request, project_id)
    return _if_allowed(found, allowed=found.role == Membership.Role.MANAGER)


def _if_allowed(membership: Membership, *, allowed: bool) -> Membership:
    if not allowed:
        raise Http404
    return membership
