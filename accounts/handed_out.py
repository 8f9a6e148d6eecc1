"""Secrets that a page shows once, such as a new token or a link to choose a password.

The session keeps one between the request that creates it and the page behind the secret's, so that
its page may be loaded again, in another language too, and no reload creates a second secret.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

KEY = "handed_out"


def keep(request: HttpRequest, *values: str, page: str = "") -> HttpResponse:
    """Keep what a page shows, in place of all that was kept, and lead to it.

    Without a `page`, it is the one that the request was sent to.
    """
    request.session[KEY] = [page or request.path, *values]
    return redirect(page or request.path)


def kept(request: HttpRequest) -> list[str]:
    """Return what is kept for the page of this request; empty if nothing is."""
    page, *values = request.session.get(KEY, [""])
    return values if page == request.path else []


def forget(request: HttpRequest) -> None:
    request.session.pop(KEY, None)
