"""Logging of each request."""

import logging
import secrets
from collections.abc import Callable
from time import perf_counter

from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bound_contextvars

SERVER_ERROR = 500

logger = logging.getLogger(__name__)


def logged(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware: log one line for each request, with the name of its route but not its path."""

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
