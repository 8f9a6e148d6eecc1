"""The pages of errors and documentation, and probes for supervisors and collectors."""

import logging
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseServerError,
    JsonResponse,
)
from django.shortcuts import redirect, render
from django.template import loader
from django.templatetags.static import static
from django.utils.crypto import constant_time_compare
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views import defaults
from django.views.decorators.http import require_safe
from kombu import Connection
from prometheus_client import CONTENT_TYPE_LATEST

from accounts.models import User
from annotation.access import gates, readers
from annotation.access.gates import Request
from common.outages import is_outage
from operations import manual, squashes, status, storage
from operations.storage import NotWritable

RETRY_SECONDS = "5"
BROKER_SECONDS = 1
TOO_LARGE, UNAVAILABLE = 413, 503
PLAIN, BINARY = "text/plain; charset=utf-8", "application/octet-stream"
NOT_WRITABLE = "cannot be written"

logger = logging.getLogger(__name__)
# The other pages tell how pairs are made and answers are checked, which may sway who judges them.
FOR_ANNOTATORS = ("annotator", "operator/personal_data")


class Unapplied(Exception):
    """Migrations that the code needs have not been applied."""


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


def answering_probes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware, the first in the list: answers before hosts, schemes and sessions are checked."""
    probes = {"/livez": _livez, "/readyz": _readyz, "/metrics": _metrics}

    def middleware(request: HttpRequest) -> HttpResponse:
        probe = probes.get(request.path_info)
        if probe is None:
            return get_response(request)
        response = probe(request)
        response.headers["Cache-Control"] = "no-store"
        return response

    return middleware


def _livez(_request: HttpRequest) -> HttpResponse:
    return JsonResponse({"status": "alive"})


def _readyz(_request: HttpRequest) -> HttpResponse:
    """Return 200 if requests can be served, else 503, with the state of each part.

    Pages do not need the broker, so its failure is reported without a 503.
    """
    parts = {"database": _state_of_database(), "data": _state_of_data()}
    is_ready = all(state == "ok" for state in parts.values())
    if settings.CELERY_BROKER_URL:
        parts["broker"] = "ok" if _broker_answers() else "does not answer"
    states = {"status": "ready" if is_ready else "not ready", **parts}
    return JsonResponse(states, status=200 if is_ready else UNAVAILABLE)


def _metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics; 404 if they are disabled, 401 without their token."""
    if not settings.METRICS_TOKEN:
        return HttpResponse(status=404)
    if not constant_time_compare(
        request.headers.get("Authorization", ""), f"Bearer {settings.METRICS_TOKEN}"
    ):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    return HttpResponse(status.metrics(), content_type=CONTENT_TYPE_LATEST)


def _state_of_data() -> str:
    try:
        storage.try_folder(Path(settings.DATA_DIR))
    except NotWritable as error:
        logger.error("The data folder cannot be written: %s", error)
        return NOT_WRITABLE
    return "ok"


def _state_of_database() -> str:
    # A connection from before a database restart does not show the present state.
    if connection.connection is not None and not connection.is_usable():
        connection.close()
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        _ask_for_migrations()
        storage.try_database()
    except Unapplied:
        return "migrations are missing"
    except NotWritable as error:
        logger.error("The database cannot be written: %s", error)
        return NOT_WRITABLE
    except (DatabaseError, InterfaceError):
        connection.close()
        return "does not answer"
    return "ok"


@cache
def _ask_for_migrations() -> None:
    """Raise Unapplied if migrations are missing. Success is cached, as it is permanent."""
    executor = MigrationExecutor(connection)
    missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if missing or squashes.is_half_replaced(connection):
        raise Unapplied


def _broker_answers() -> bool:
    options = {"socket_connect_timeout": BROKER_SECONDS, "socket_timeout": BROKER_SECONDS}
    url = settings.CELERY_BROKER_URL
    try:
        with Connection(url, connect_timeout=BROKER_SECONDS, transport_options=options) as broker:
            broker.connect()
            broker.channel().close()  # Redis connects only here
    except Exception:  # each transport has its own errors
        return False
    return True


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
        "beside": manual.neighbours(topic, language) if reads_all else (),
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
