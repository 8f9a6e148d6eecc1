"""Gunicorn settings of a public installation; WEB_CONCURRENCY is the number of processes.

Each process has four threads, so a request that waits for the database or a slow client does not
block others. Bodies must arrive at a minimum rate (config/pace.py), and few large ones at a time
(common/bodies.py).
"""

from pathlib import Path
from typing import Any

from common import bodies
from config.pace import PacedSocket, abandon

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
