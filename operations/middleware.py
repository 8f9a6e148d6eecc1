"""Middleware: headers of replies, limits of request bodies, a log line per request."""

import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, ResolverMatch, resolve
from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from structlog.contextvars import bound_contextvars

from accounts.scopes import TokenAuthentication
from common import bodies

HEADERS = {
    "Content-Security-Policy": settings.CONTENT_SECURITY_POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    # Browser features that no page needs. Clipboard access is omitted, as copy buttons use it.
    "Permissions-Policy": (
        "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), display-capture=(), "
        "encrypted-media=(), fullscreen=(), geolocation=(), gyroscope=(), hid=(), "
        "identity-credentials-get=(), idle-detection=(), magnetometer=(), microphone=(), "
        "midi=(), payment=(), picture-in-picture=(), screen-wake-lock=(), serial=(), usb=(), "
        "xr-spatial-tracking=()"
    ),
}
# Statuses of Django's technical pages for developers, which have styles and scripts inside.
TECHNICAL = frozenset({404, 500})
TOO_LARGE = 413
TOO_MANY = 429
UNAVAILABLE = 503
# Seconds after which a sender may try again.
WAIT = 30
SERVER_ERROR = 500

Handler = Callable[[HttpRequest], HttpResponse]

logger = logging.getLogger(__name__)


def guarding_headers(get_response: Handler) -> Handler:
    """Add HEADERS, for which Django has no setting, to responses that do not set them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if settings.DEBUG and response.status_code in TECHNICAL:
            return response
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def bounded_bodies(get_response: Handler) -> Handler:
    """Refuse bodies that are larger than their view accepts, and large ones if too many arrive.

    All checks, that of the sender by the view's gate included, come before a body is read. No code
    reads more than Content-Length, so a false header gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if (length := _length(request)) <= bodies.SMALL:
            return get_response(request)
        view = _view_of(request)
        if view is None or length > bodies.largest_of(view.func):
            return _refusal(
                TOO_LARGE,
                _("Nothing was stored: this is larger than the page accepts. Split it."),
            )
        if (sender := _sender(request, view)) is None:
            return _refusal(TOO_LARGE, _("You are not signed in. Sign in, then send it again."))
        try:
            with bodies.arriving(sender):
                return get_response(request)
        except bodies.Busy as busy:
            return _busy(busy)

    return middleware


def _view_of(request: HttpRequest) -> ResolverMatch | None:
    try:
        return resolve(request.path_info)
    except Resolver404:
        return None


def _sender(request: HttpRequest, view: ResolverMatch) -> int | None:
    """Return the key of the sender of a large body. Raises the errors of the view's gate."""
    gate = getattr(view.func, "body_gate", None)
    if request.user.is_authenticated:
        if gate is not None:
            gate(request, *view.args, **view.kwargs)
        return request.user.pk
    return _owner_of_token(request) if gate is None else None


def _owner_of_token(request: HttpRequest) -> int | None:
    try:
        user_and_token = TokenAuthentication().authenticate(cast(Request, request))
    except AuthenticationFailed:
        return None
    return user_and_token[0].pk if user_and_token else None


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or ""  # as Django, take no number for 0
    return int(length) if length.isdecimal() else 0


def _busy(busy: bodies.Busy) -> HttpResponse:
    if busy.by_sender:
        reply = _refusal(
            TOO_MANY,
            _("Nothing was stored: you are sending another file. Wait for it, then send this one."),
        )
    else:
        reply = _refusal(
            UNAVAILABLE,
            _("Nothing was stored: other people are sending files. Try again in a minute."),
        )
    reply.headers["Retry-After"] = str(WAIT)
    return reply


def _refusal(status: int, reason: str) -> HttpResponse:
    return HttpResponse(reason, status=status, content_type="text/plain; charset=utf-8")


def logged(get_response: Handler) -> Handler:
    """Log one line for each request, with the name of its route but not its path."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began, request_id = perf_counter(), secrets.token_hex(8)
        with bound_contextvars(request=request_id):
            response = get_response(request)
            _log(request, response, seconds=perf_counter() - began)
        response.headers["X-Request-ID"] = request_id
        return response

    return middleware


def _log(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    found = request.resolver_match
    fields = {
        "method": request.method,
        "route": (found.view_name if found else "") or "none",
        "status": response.status_code,
        "milliseconds": round(seconds * 1000, 1),
    }
    level = logging.ERROR if response.status_code >= SERVER_ERROR else logging.INFO
    logger.log(level, "request", extra=fields)
