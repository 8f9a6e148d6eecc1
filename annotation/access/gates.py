"""Who may come in: every view asks one of these first."""

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
    """A request as the middleware leaves it, from somebody who is signed in."""

    user: User
    htmx: HtmxDetails
    session: SessionBase
    membership: Membership | None


def signed_in(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Send strangers to the sign-in page; where only a part was asked for, the whole page goes."""

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
    """The person's place in the project. Raises Http404 for all others, as if there were none."""
    if request.membership is not None:
        return request.membership
    try:
        return selectors.membership_for(request.user.pk, project_id)
    except Membership.DoesNotExist as error:
        raise Http404 from error


def corrector(request: Request, project_id: uuid.UUID) -> Membership:
    """A member who is asked to correct, or Http404."""
    return _if_allowed(found := member(request, project_id), allowed=found.may_correct)


def judge(request: Request, project_id: uuid.UUID) -> Membership:
    """A member who is asked to judge, or Http404."""
    return _if_allowed(found := member(request, project_id), allowed=found.may_judge)


def reader(request: Request, project_id: uuid.UUID) -> Membership:
    """A member who may see results: a manager or a researcher, or Http404."""
    found = member(request, project_id)
    return _if_allowed(found, allowed=found.role != Membership.Role.ANNOTATOR)


def manager(request: Request, project_id: uuid.UUID) -> Membership:
    """A member who runs the project, or Http404."""
    found = member(request, project_id)
    return _if_allowed(found, allowed=found.role == Membership.Role.MANAGER)


def _if_allowed(membership: Membership, *, allowed: bool) -> Membership:
    if not allowed:
        raise Http404
    return membership


def _recognise(request: Request, project_id: object) -> None:
    """Load a person together with their place in the project: one statement for two.

    Only where the session proves the person just as Django would have it proved. Everything else,
    such as a session that was signed with a former key, is left to Django's own way.
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
    """Whether the session was begun for this person, with the password that they have now."""
    return (
        user.is_active
        and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
        and constant_time_compare(session.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash())
    )
