"""Gunicorn settings of a public installation; WEB_CONCURRENCY is the number of processes.

Each process has four threads, so a request that waits for the database or a slow client does not
block others. Bodies must arrive at a minimum rate, and few large ones at a time
(common/bodies.py).
"""

import os
from contextlib import suppress
from pathlib import Path
from socket import SHUT_RD, SHUT_WR, socket
from threading import Lock
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from gunicorn.errors import AppImportError

from common import bodies

# Only the proxy may connect; the image, where it has another address, sets another one.
bind = "127.0.0.1:8000"
# Django decides which headers of proxies to believe (PAWSMITH_PROXIES).
forwarded_allow_ips = ""
worker_class = "gthread"
threads = 4
timeout = 60
graceful_timeout = 30
# Longer than the proxy keeps an idle connection (deploy/Caddyfile): a form that is sent on one that
# closes at that moment is answered with 502, since it may not be sent twice.
keepalive = 75
# Processes rarely release memory, so they are replaced after some requests.
max_requests = 20_000
max_requests_jitter = 5_000
# Heartbeats are files; on a slow disk they would come too late.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108
control_socket_disable = True


def post_fork(_server: Any, _worker: Any) -> None:
    """Stop with one line if a setting is wrong; other errors have a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        _ = settings.INSTALLED_APPS
    except ImproperlyConfigured as error:
        raise AppImportError(str(error)) from error


def pre_request(worker: Any, req: Any) -> None:
    req.unreader.sock = PacedSocket(req.unreader.sock)
    if _is_large(req):
        # If the body is refused, the rest of it is still on the connection.
        req.force_close()
    if bodies.are_arriving():
        # A process that is replaced ends its requests after graceful_timeout.
        worker.nr -= 1


def post_request(_worker: Any, req: Any, _environ: Any, _resp: Any) -> None:
    req.unreader.sock = req.unreader.sock.connection
    if _is_large(req) or req.body.failed:
        abandon(req.unreader.sock)


def _is_large(req: Any) -> bool:
    """Return whether a body is too large for the proxy to buffer all of it, or may become so."""
    headers = dict(req.headers)
    return "TRANSFER-ENCODING" in headers or int(headers.get("CONTENT-LENGTH", 0)) > bodies.SMALL


# Bytes a second, over any PATIENCE seconds.
SLOWEST = 10_000
PATIENCE = 30.0
LINGER = 1.0
PIECE = 65_536

_waiting = Lock()


class PacedSocket:
    """Raises TimeoutError in reads from slow senders, and ConnectionError if a sender leaves.

    A sender has PATIENCE seconds of delay at most, and every SLOWEST bytes earn one back. Without
    this, a byte now and then would occupy a thread for ever, and if a sender left, the beginning of
    the body would be taken for the whole.
    """

    def __init__(self, connection: socket) -> None:
        self.connection, self._delay_left = connection, PATIENCE

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def recv(self, size: int) -> bytes:
        began = monotonic()
        self.connection.settimeout(max(self._delay_left, 0.001))
        try:
            data = self.connection.recv(size)
        finally:
            self.connection.settimeout(None)
        if not data:
            raise ConnectionAbortedError("The body ended early.")
        self._delay_left -= monotonic() - began
        if self._delay_left < 0:
            raise TimeoutError("The body came too slowly.")
        self._delay_left = min(PATIENCE, self._delay_left + len(data) / SLOWEST)
        return data


def abandon(connection: socket) -> None:
    """End a connection on which part of a body may be unread.

    The sender needs time to read the reply, which closing at once would cut off. If the body is
    slow, the proxy takes as long as the next byte does, so one thread of a process waits at a time.
    """
    waits = _waiting.acquire(blocking=False)
    try:
        _end(connection, linger=LINGER if waits else 0)
    finally:
        if waits:
            _waiting.release()


def _end(connection: socket, *, linger: float) -> None:
    """Shut both directions: gunicorn would wait two seconds for the sender, in its main thread."""
    until = monotonic() + linger
    with suppress(OSError):
        connection.shutdown(SHUT_WR)
        connection.settimeout(linger)
        with suppress(TimeoutError, BlockingIOError):
            while connection.recv(PIECE) and (left := until - monotonic()) > 0:
                connection.settimeout(left)
        connection.shutdown(SHUT_RD)
