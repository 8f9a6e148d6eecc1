"""Middleware: request bodies arrive in full before a view runs, or the request is refused.

Left to itself, Django looks for a CSRF token in the body whenever it shows an error page, and runs
views with an empty form if a body broke off, came too slowly, or did not say its length.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import cast

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, NotAuthenticated
from rest_framework.request import Request

from accounts.models import User
from accounts.scopes import TokenAuthentication
from common import bodies
from common.api.endpoints import Refusal
from common.api.errors import Refused, error_of_unreadable_body

# What a sender waits before another try, in seconds.
WAIT = 30
REST = "/api/"

Handler = Callable[[HttpRequest], HttpResponse]


def sealed_bodies(get_response: Handler) -> Handler:
    """Give an empty form of a large body to all code, error pages included, until it is counted."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if _length(request) > bodies.SMALL:
            # What Django does after a form that it could not read: later reads get an empty one.
            request._mark_post_parse_error()  # type: ignore[attr-defined]
        return get_response(request)

    return middleware


def bounded_bodies(get_response: Handler) -> Handler:
    """Read a body, or refuse it.

    Refused before they are read are those without a length, and those that are larger than their
    view takes, come from people whom it does not let pass, or come when as many arrive as may. No
    code reads more than Content-Length, so a false header gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        receiving = _reading_large_body if _length(request) > bodies.SMALL else _reading_small_body
        try:
            with receiving(request):
                return get_response(request)
        except APIException as refusal:
            return _reply(request, refusal)

    return middleware


@contextmanager
def _reading_small_body(request: HttpRequest) -> Iterator[None]:
    if "HTTP_TRANSFER_ENCODING" in request.META:
        raise Refused(
            status.HTTP_411_LENGTH_REQUIRED,
            _("Nothing was stored: the request does not say how long it is (Content-Length)."),
        )
    if _length(request):
        with _refusing_unreadable():
            request.body  # noqa: B018 it is kept
    yield


@contextmanager
def _reading_large_body(request: HttpRequest) -> Iterator[None]:
    sender = _sender(request, _view_that_takes(request))
    try:
        with bodies.large_body_of(sender):
            del request._post, request._files  # type: ignore[attr-defined]
            # Files go to the disk; JSON is read by its parser.
            with _refusing_unreadable():
                request.POST  # noqa: B018 it is kept
            yield
    except bodies.Busy as busy:
        raise _wait_refusal(busy) from busy


@contextmanager
def _refusing_unreadable() -> Iterator[None]:
    try:
        yield
    except UnreadablePostError as error:
        raise error_of_unreadable_body(error) from error


def _view_that_takes(request: HttpRequest) -> ResolverMatch:
    """Return the view to which a large body is sent. Raises Refused if it takes only smaller ones.

    No view takes what is sent to an address without a page.
    """
    try:
        view = resolve(request.path_info)
    except Resolver404:
        view = None
    if view is None or _length(request) > bodies.largest_of(view.func):
        raise _too_large(_("Nothing was stored: this is larger than the page accepts. Split it."))
    return view


def _sender(request: HttpRequest, view: ResolverMatch) -> int:
    """Return the key of whom a large body comes from. Raises what the gate of the view raises."""
    gate = getattr(view.func, "body_gate", None)
    if request.user.is_authenticated:
        if gate is not None:
            gate(request, *view.args, **view.kwargs)
        return request.user.pk
    if gate is None:
        return _owner_of_token(request)
    raise _too_large(_("You are not signed in. Sign in, then send it again."))


def _owner_of_token(request: HttpRequest) -> int:
    """Raises AuthenticationFailed, or NotAuthenticated without a token."""
    owner_and_token = TokenAuthentication().authenticate(cast(Request, request))
    if owner_and_token is None:
        raise NotAuthenticated
    owner: User = owner_and_token[0]
    return owner.pk


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or ""  # as Django, take no number for 0
    return int(length) if length.isdecimal() else 0


def _too_large(reason: str) -> Refused:
    return Refused(status.HTTP_413_REQUEST_ENTITY_TOO_LARGE, reason)


def _wait_refusal(busy: bodies.Busy) -> Refused:
    if busy.by_sender:
        return Refused(
            status.HTTP_429_TOO_MANY_REQUESTS,
            _("Nothing was stored: you are sending another file. Wait for it, then send this one."),
            wait=WAIT,
        )
    return Refused(
        status.HTTP_503_SERVICE_UNAVAILABLE,
        _("Nothing was stored: other people are sending files. Try again in a minute."),
        wait=WAIT,
    )


def _reply(request: HttpRequest, refusal: APIException) -> HttpResponse:
    """Return the error in the form of REST, or as text for people."""
    if request.path_info.startswith(REST):
        return cast(HttpResponse, Refusal.as_view(error=refusal)(request).render())
    # Those of a ValidationError are a list.
    reasons = refusal.detail if isinstance(refusal.detail, list) else [refusal.detail]
    reply = HttpResponse(
        reasons, status=refusal.status_code, content_type="text/plain; charset=utf-8"
    )
    if wait := getattr(refusal, "wait", None):
        reply.headers["Retry-After"] = str(wait)
    return reply
