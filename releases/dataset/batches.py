"""Splits rows into batches, so that fixed costs occur once per batch."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
AT_ONCE = 1000


def batches(rows: Iterable[T], size: int = AT_ONCE) -> Iterator[list[T]]:
    """Yield the rows in lists of `size`, the last of which may be shorter."""
    source = iter(rows)
    while some := list(islice(source, size)):
        yield some
