"""How large a request body may be, from whom, and how many large ones may arrive at a time.

A view accepts up to SMALL bytes, which the proxy buffers until they have arrived. A larger body
occupies a thread until its sender has finished, so a view declares that it accepts them, and each
process receives only a few at a time (docs/operator/security.md).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])

# In bytes; deploy/Caddyfile buffers as much.
SMALL = 100_000
# Bytes that views add to the limits of their files, for the other fields and headers of a form.
REST_OF_FORM = 50_000
# Of a form with long texts, whose characters can take nine bytes when they are sent.
LONG_TEXTS = 2_500_000
# Large bodies that a process receives at a time, one from each person. It has more threads
# (config/gunicorn.py): the others are for people who work.
MOST_OPEN = 2

_senders: set[int] = set()
_lock = Lock()


class Busy(Exception):
    """The process is receiving as many large bodies as it may, or one from this person."""

    def __init__(self, *, by_sender: bool) -> None:
        super().__init__()
        self.by_sender = by_sender


def takes_up_to(size: int, *, gate: Callable[..., object]) -> Callable[[View], View]:
    """Let a view take bodies of up to `size` bytes from those whom `gate` lets pass.

    The gate gets the request and the arguments of the view before the body is read. It raises
    Http404 for all others. A REST view sets `largest_body` instead, and takes them from everybody
    who has a token.
    """

    def mark(view: View) -> View:
        view.largest_body, view.body_gate = size, gate  # type: ignore[attr-defined]
        return view

    return mark


def largest_of(view: Callable[..., Any]) -> int:
    declared = getattr(view, "largest_body", None) or getattr(view, "cls", None)
    return declared if isinstance(declared, int) else getattr(declared, "largest_body", SMALL)


@contextmanager
def large_body_of(person: int) -> Iterator[None]:
    """Count a large body of a person until the block ends. Raises Busy if it may not arrive now."""
    with _lock:
        if person in _senders or len(_senders) >= MOST_OPEN:
            raise Busy(by_sender=person in _senders)
        _senders.add(person)
    try:
        yield
    finally:
        with _lock:
            _senders.remove(person)


def are_arriving() -> bool:
    return bool(_senders)
