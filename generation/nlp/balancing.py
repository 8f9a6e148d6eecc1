"""Chooses among the rewrites of a sentence so that their shape tells little of their label.

Rotations move a part from one end to the other. Most of them are paraphrases, and most exchanges
are not, so of each shape the rarer label comes first, and the commoner ones are thinned. The
choice depends on the sentence and the seed alone: shards and batches of a run choose alike.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple, TypeVar

PARAPHRASE = 0.5  # least probability of what counts as a paraphrase here


class Cell(NamedTuple):
    """The shape of a rewrite, and whether it is probably a paraphrase."""

    is_rotation: bool
    is_paraphrase: bool


# The shares of rewrites that are kept, the rarest cell first. So no rule reads the label from the
# shape, and about 60 % of the pairs of Wikipedia are paraphrases (`scripts/bench generation`).
KEPT = {
    Cell(is_rotation=True, is_paraphrase=False): 1.0,
    Cell(is_rotation=False, is_paraphrase=True): 0.6,
    Cell(is_rotation=True, is_paraphrase=True): 0.7,
    Cell(is_rotation=False, is_paraphrase=False): 0.4,
}
RANKS = {cell: rank for rank, cell in enumerate(KEPT)}

T = TypeVar("T")


def choose(rewrites: Sequence[tuple[T, Cell]], text: str, seed: int) -> list[T]:
    """Return up to one of each shape of the rewrites of a text; they are given best first."""
    chosen = []
    for is_rotation in (True, False):
        of_shape = [
            (rewrite, cell) for rewrite, cell in rewrites if cell.is_rotation == is_rotation
        ]
        if of_shape:
            rewrite, cell = min(of_shape, key=lambda pair: RANKS[pair[1]])
            if draw(f"{seed} {is_rotation} {text}") < KEPT[cell]:
                chosen.append(rewrite)
    return chosen


def draw(text: str) -> float:
    """Return a number from 0 to below 1 that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) / 2**64
