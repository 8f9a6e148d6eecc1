"""Probes for supervisors, load balancers and collectors of metrics."""

import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from kombu import Connection
from prometheus_client import CONTENT_TYPE_LATEST

from operations import squashes, status, storage
from operations.storage import NotWritable

logger = logging.getLogger(__name__)
UNAVAILABLE = 503
BROKER_SECONDS = 1
NOT_WRITABLE = "cannot be written"


class Unapplied(Exception):
    """Migrations that the code needs have not been applied."""


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
