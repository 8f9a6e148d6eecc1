"""The maximum size of a request body, checked before any of it is read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

# The largest file of a form, plus its other fields; deploy/Caddyfile has the same limit.
LARGEST = 25_000_000
TOO_LARGE = 413


def bounded_bodies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: return 413 if Content-Length exceeds LARGEST bytes.

    No code reads more than Content-Length, so a false header gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if _length(request) <= LARGEST:
            return get_response(request)
        said = _("That is too large. Larger files are imported by commands on the server.")
        return HttpResponse(said, status=TOO_LARGE, content_type="text/plain; charset=utf-8")

    return middleware


def _length(request: HttpRequest) -> int:
    """Return Content-Length as Django does: 0 if it is not a number."""
    told = request.META.get("CONTENT_LENGTH") or ""
    return int(told) if told.isdecimal() else 0
