"""Middleware: headers of replies, and the maximum size of a request body."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

Handler = Callable[[HttpRequest], HttpResponse]

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
TOO_LARGE = 413


def guarding_headers(get_response: Handler) -> Handler:
    """Add HEADERS, for which Django has no setting, to responses that do not set them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response

    return middleware


def bounded_bodies(get_response: Handler) -> Handler:
    """Answer 413 if Content-Length exceeds LARGEST, before any of the body is read.

    No code reads more than Content-Length, so a false header gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or ""  # as Django, take no number for 0
        if not length.isdecimal() or int(length) <= LARGEST:
            return get_response(request)
        text = _("That is too large. Larger files are imported by commands on the server.")
        return HttpResponse(text, status=TOO_LARGE, content_type="text/plain; charset=utf-8")

    return middleware
