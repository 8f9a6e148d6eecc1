"""Chance that depends on nothing but the seed, its purpose and the id of what is drawn.

A generator that is drawn from in turn would give every later row another number once a row is
added. A hash gives each row its own number for good, on every platform and version of Python.
"""

from collections.abc import Iterable
from hashlib import blake2b


def draw(seed: int, purpose: str, key: str) -> int:
    """A number uniform in 0 to 2**64 - 1."""
    digest = blake2b(f"{seed}\t{purpose}\t{key}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big")


def shuffled(keys: Iterable[str], *, seed: int, purpose: str) -> list[str]:
    """Distinct keys in a random order, in which a key added later changes no other two."""
    return sorted(keys, key=lambda key: (draw(seed, purpose, key), key))
