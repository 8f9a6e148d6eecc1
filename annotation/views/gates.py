"""Who may come in: every view asks one of these first."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User
from annotation.models import Membership
from annotation.selectors import access

Args = ParamSpec("Args")


class Request(HttpRequest):
    """A request as the middleware leaves it, from somebody who is signed in."""

    user: User
    htmx: HtmxDetails


def signed_in(
    view: Callable[Concatenate[Request, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Send strangers to the sign-in page; where only a part was asked for, the whole page goes."""

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
    """The person's place in the project. Raises Http404 for all others, as if there were none."""
    try:
        return access.membership_for(request.user, project_id)
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


def _if_allowed(membership: Membership, *, allowed: bool) -> Membership:
    if not allowed:
        raise Http404
    return membership
