"""Middleware: headers of replies, a log line per request, a way out of addresses without a page."""

import logging
import secrets
from collections.abc import Callable
from time import perf_counter

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.urls import is_valid_path
from structlog.contextvars import bound_contextvars

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


def leading_up(get_response: Handler) -> Handler:
    """Lead browsers that open an address that only takes forms to the page above it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        shows_pages = "text/html" in request.headers.get("Accept", "")
        is_refused = isinstance(response, HttpResponseNotAllowed) and request.method == "GET"
        if not (is_refused and shows_pages):
            return response
        return HttpResponseRedirect(request.META["SCRIPT_NAME"] + _above(request.path_info))

    return middleware


def _above(address: str) -> str:
    above = address.rstrip("/").rpartition("/")[0] + "/"
    return above if is_valid_path(above) else _above(above)


def log_requests(get_response: Handler) -> Handler:
    """Log one line for each request, with the name of its route but not its path."""

    def middleware(request: HttpRequest) -> HttpResponse:
        began, request_id = perf_counter(), secrets.token_hex(8)
        with bound_contextvars(request=request_id):
            response = get_response(request)
            _log_request(request, response, seconds=perf_counter() - began)
        response.headers["X-Request-ID"] = request_id
        return response

    return middleware


def _log_request(request: HttpRequest, response: HttpResponse, *, seconds: float) -> None:
    match = request.resolver_match
    fields = {
        "method": request.method,
        "route": (match.view_name if match else "") or "none",
        "status": response.status_code,
        "milliseconds": round(seconds * 1000, 1),
    }
    level = logging.ERROR if response.status_code >= SERVER_ERROR else logging.INFO
    logger.log(level, "request", extra=fields)
