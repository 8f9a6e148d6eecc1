"""The pages of errors and documentation."""

import sys

from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import redirect, render
from django.template import loader
from django.templatetags.static import static
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.http import require_safe

from accounts.models import User
from annotation.access import gates, readers
from annotation.access.gates import Request
from common.outages import is_outage
from operations import manual

RETRY_SECONDS = "5"
TOO_LARGE, UNAVAILABLE = 413, 503
PLAIN, BINARY = "text/plain; charset=utf-8", "application/octet-stream"

# The other pages tell how pairs are made and answers are checked, which may sway who judges them.
FOR_ANNOTATORS = ("annotator", "operator/personal_data")


def server_error(_request: HttpRequest) -> HttpResponse:
    """Return the error page: 503 if the database is unavailable, else 500."""
    if is_outage(sys.exc_info()[1]):
        return _unavailable()
    return HttpResponseServerError(loader.get_template("500.html").render())


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the page of invalid requests, of an outage or of texts that are too long."""
    # Django calls it a bad request if the session could not be saved, whatever the reason.
    if is_outage(exception):
        return _unavailable()
    if isinstance(exception, RequestDataTooBig):
        reason = _("Nothing was stored: the text is too long. Send it as a file, or split it.")
        return HttpResponse(reason, status=TOO_LARGE, content_type=PLAIN)
    return defaults.bad_request(request, exception)


def _unavailable() -> HttpResponse:
    page = loader.get_template("503.html").render()
    return HttpResponse(page, status=UNAVAILABLE, headers={"Retry-After": RETRY_SECONDS})


@gates.signed_in
@require_safe
def help_page(request: Request, topic: str = manual.INDEX) -> HttpResponse:
    """Show a page of the documentation, or what `q` finds in it; annotators have few pages.

    Raises Http404 for others.
    """
    reads_all, words = _reads_all(request.user), request.GET.get("q", "")
    language, is_index = get_language() or manual.ENGLISH, topic == manual.INDEX
    pages = tuple(manual.names()) if reads_all else FOR_ANNOTATORS
    if is_index and not words and not reads_all:
        return redirect("help_page", FOR_ANNOTATORS[0])
    if topic not in pages and not (is_index and words):
        raise Http404
    context = {
        "title": manual.title_of(topic, language),
        "page": manual.page(topic, language),
        "language_of_page": manual.language_of(topic, language),
        "notebook": manual.notebook_address(topic),
        "neighbours": manual.neighbours(topic, language) if reads_all else (),
        "topic": topic,
        "is_index": is_index,
        "words": words,
        "hits": manual.search(words, language, pages) if is_index else (),
    }
    return render(request, "operations/help.html", context)


@gates.signed_in
@require_safe
def help_picture(_request: Request, name: str) -> HttpResponse:
    path = manual.PICTURES / f"{name}.png"
    if not path.is_file():
        raise Http404
    return HttpResponse(path.read_bytes(), content_type="image/png")


@gates.signed_in
@require_safe
def help_file(request: Request, name: str) -> HttpResponse:
    """Send a file that pages of the documentation offer. Raises Http404 if there is none."""
    path = manual.FILES / name
    if not (_reads_all(request.user) and path.is_file()):
        raise Http404
    disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(path.read_bytes(), BINARY, headers=disposition)


@require_safe
def favicon(_request: HttpRequest) -> HttpResponse:
    """Redirect browsers that ask for the icon without reading a page's links."""
    return redirect(static("pawsmith/favicon.ico"))


def _reads_all(user: User) -> bool:
    """Return whether the person reads results, may create projects, or runs the installation."""
    return user.is_staff or readers.projects(user).exists() or readers.may_create(user)
