"""How slowly a request body may arrive before its connection is cut."""

from contextlib import suppress
from socket import SHUT_RD, SHUT_WR, socket
from threading import Lock
from time import monotonic
from typing import Any

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
