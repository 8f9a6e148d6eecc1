"""How large a request may be at all: what is larger is refused before any of it is read."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

# The largest file that a form takes, and room for the rest; deploy/Caddyfile allows the same.
LARGEST = 25_000_000
TOO_LARGE = 413


def bounded_bodies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: 413 for a body of more than LARGEST bytes, as its header says.

    The rest of the way, no more is read than the header says, so a false one gains nothing.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if _length(request) <= LARGEST:
            return get_response(request)
        said = _("That is too large. Larger files are imported by commands on the server.")
        return HttpResponse(said, status=TOO_LARGE, content_type="text/plain; charset=utf-8")

    return middleware


def _length(request: HttpRequest) -> int:
    """As Django takes it: what is no number is nothing."""
    told = request.META.get("CONTENT_LENGTH") or ""
    return int(told) if told.isdecimal() else 0
