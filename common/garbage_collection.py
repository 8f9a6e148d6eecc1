"""Pausing the cyclic garbage collector."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def paused() -> Iterator[None]:
    """No cyclic garbage collection while the block runs.

    For work on many rows without reference cycles: the collector would walk over all of them again
    and again. Reference counting still frees what is no longer used.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
