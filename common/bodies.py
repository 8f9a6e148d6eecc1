"""Views that take larger request bodies than others, and from whom: the middleware asks them."""

from collections.abc import Callable
from typing import Any, TypeVar

View = TypeVar("View", bound=Callable[..., Any])
# The largest body that any view takes, in bytes.
LARGEST_FILE = 1_010_000_000


def takes_up_to(size: int, *, gate: Callable[..., object]) -> Callable[[View], View]:
    """Let a view take bodies of up to `size` bytes from those whom `gate` lets pass.

    The gate gets the request and the arguments of the view before the body is read. It raises
    Http404 for all others.
    """

    def mark(view: View) -> View:
        view.largest_body, view.body_gate = size, gate  # type: ignore[attr-defined]
        return view

    return mark
