"""Access checks: every view calls one of these first."""

import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.views import redirect_to_login
from django.contrib.sessions.backends.base import SessionBase
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.crypto import constant_time_compare
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from annotation.access import selectors
from annotation.models import Membership

Args = ParamSpec("Args")


class Request(HttpRequest):
    """A request of a signed-in user, with the attributes that the middleware adds."""

    user: User
    htmx: HtmxDetails
    session: SessionBase
    membership: Membership | None


def signed_in(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Redirect anonymous users to the sign-in page; with htmx, redirect the whole page."""

    @wraps(view)
    def gate(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        _recognise(cast(Request, request), kwargs.get("project_id"))
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
    if request.membership is not None:
        return request.membership
    try:
        return selectors.membership_for(request.user.pk, project_id)
    except Membership.DoesNotExist as error:
        raise Http404 from error


def corrector(request: Request, project_id: uuid.UUID) -> Membership:
    """Return a membership that may correct. Raises Http404 otherwise."""
    return _if_allowed(found := member(request, project_id), allowed=found.may_correct)


def judge(request: Request, project_id: uuid.UUID) -> Membership:
    """Return a membership that may judge. Raises Http404 otherwise."""
    return _if_allowed(found := member(request, project_id), allowed=found.may_judge)


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


def _recognise(request: Request, project_id: object) -> None:
    """Load the user together with their membership, in one statement instead of two.

    Only if the session passes the checks of Django. Otherwise, for example if it was signed with an
    old key, Django authenticates the request.
    """
    request.membership = None
    person = request.session.get(SESSION_KEY)
    if person is None or not isinstance(project_id, uuid.UUID):
        return
    with suppress(Membership.DoesNotExist):
        found = selectors.membership_for(int(person), project_id)
        if _is_proved(request.session, found.user):
            request.user, request.membership = found.user, found


def _is_proved(session: SessionBase, user: User) -> bool:
    """Whether the session belongs to this active user and matches their current password."""
    return (
        user.is_active
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    )
