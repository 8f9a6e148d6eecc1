"""How large a request body may be, from whom, and how many large ones may arrive at a time.

A view takes up to SMALL bytes, which the proxy holds back until they have arrived. Larger bodies
occupy a thread for as long as their sender likes, so a view declares that it takes them, and each
process lets in few of them (docs/operator/security.md).
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])

# In bytes; deploy/Caddyfile holds as much back.
SMALL = 100_000
# What views add to the limits of their files, for the other fields and the headers of a form.
REST_OF_FORM = 50_000
# A form of long texts: some take nine bytes a character on their way.
LONG_TEXTS = 2_500_000
# Large bodies that a process receives at a time, one from each person. It has more threads
# (config/gunicorn.py): the others are for people who work.
MOST_OPEN = 2

_senders: set[int] = set()
_lock = Lock()


class Busy(Exception):
    """The process receives as many large bodies as it may, or one of this person."""

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
    """Return how many bytes a view takes."""
    declared = getattr(view, "largest_body", None) or getattr(view, "cls", None)
    return declared if isinstance(declared, int) else getattr(declared, "largest_body", SMALL)


@contextmanager
def arriving(person: int) -> Iterator[None]:
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
    """Return whether this process receives a large body."""
    return bool(_senders)
