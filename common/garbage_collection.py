"""Python's search for cycles, which walks over all rows in memory again and again, put off."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """For work on many rows that hold no cycles: what nobody needs goes at once all the same."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
