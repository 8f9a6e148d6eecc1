"""Random draws that depend only on a seed, a purpose and the id of the row.

With one generator for all rows, adding a row would change the number of every later one. A hash
gives each row the same number on every platform and version of Python.
"""

from collections.abc import Iterable
from hashlib import blake2b

BITS_OF_DRAW = 64


def draw(seed: int, purpose: str, key: str) -> int:
    """A uniform integer in 0 to 2**64 - 1."""
    digest = blake2b(f"{seed}\t{purpose}\t{key}".encode(), digest_size=BITS_OF_DRAW // 8).digest()
    return int.from_bytes(digest, "big")


def shuffled(keys: Iterable[str], *, seed: int, purpose: str) -> list[str]:
    """Distinct keys in random order; adding a key does not change the order of the others."""
    return sorted(keys, key=lambda key: (draw(seed, purpose, key), key))
