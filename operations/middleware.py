"""Middleware: headers of replies, the maximum size of a request body, a log line per request."""

import logging
import secrets
from collections.abc import Callable
from time import perf_counter
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request
from structlog.contextvars import bound_contextvars

from accounts.scopes import TokenAuthentication

HEADERS = {
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
# The largest file of a form, plus its other fields, in bytes; deploy/Caddyfile has the same limit.
LARGEST = 25_000_000
# The same from someone who is not signed in. The proxy holds this much back until it has arrived;
# what is longer would occupy a thread for as long as its sender likes.
LARGEST_OF_STRANGERS = 100_000
TOO_LARGE = 413
SERVER_ERROR = 500

Handler = Callable[[HttpRequest], HttpResponse]

logger = logging.getLogger(__name__)


def guarding_headers(get_response: Handler) -> Handler:
    """Add HEADERS, for which Django has no setting, to responses that do not set them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def bounded_bodies(get_response: Handler) -> Handler:
    """Answer 413 if Content-Length exceeds LARGEST, or what the view takes, before it is read.

    No code reads more than Content-Length, so a false header gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if (length := _length(request)) <= LARGEST or length <= _largest_of_view(request):
            return get_response(request)
        return _too_large(
            _("The upload is too large. Import larger files by command on the server.")
        )

    return middleware


def bounded_bodies_of_strangers(get_response: Handler) -> Handler:
    """Answer 413 to bodies over LARGEST_OF_STRANGERS without a session, before they are read.

    What exceeds LARGEST too is taken only from those whom the gate of the view lets pass.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = _length(request)
        if length <= LARGEST_OF_STRANGERS:
            return get_response(request)
        if not request.user.is_authenticated and not _has_token(request, length):
            return _too_large(_("You are not signed in. Sign in, then send the file again."))
        if length > LARGEST:
            found = resolve(request.path_info)
            may_send: Any = found.func
            may_send.body_gate(request, *found.args, **found.kwargs)
        return get_response(request)

    return middleware


def _largest_of_view(request: HttpRequest) -> int:
    """Return the largest body of a view that takes more than others; else 0."""
    try:
        view = resolve(request.path_info).func
    except Resolver404:
        return 0
    return int(getattr(view, "largest_body", 0))


def _has_token(request: HttpRequest, length: int) -> bool:
    """Return whether a valid token comes with a body that its REST view takes."""
    try:
        view = getattr(resolve(request.path_info).func, "cls", None)
        if length > getattr(view, "largest_body", 0):
            return False
        return TokenAuthentication().authenticate(cast(Request, request)) is not None
    except (Resolver404, AuthenticationFailed):
        return False


def _length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or ""  # as Django, take no number for 0
    return int(length) if length.isdecimal() else 0


def _too_large(reason: str) -> HttpResponse:
    return HttpResponse(reason, status=TOO_LARGE, content_type="text/plain; charset=utf-8")


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
