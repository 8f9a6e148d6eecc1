"""Chooses among the rewrites of a sentence so that their shape tells little of their label.

A rotation moves a part from one end to the other. Most rotations are paraphrases, and so are most
lists in another order; other rewrites, mostly exchanges, seldom are. So of rotations and of all
others the rarer label comes first, and commoner ones are thinned. The choice depends on the
sentence and the seed alone: shards and batches of a run choose alike.
"""

import hashlib
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from generation.nlp.list_permutations import permutes_list
from generation.nlp.measures import is_rotation
from generation.nlp.words import tokens

PARAPHRASE = 0.5  # least probability of what counts as a paraphrase here


class Shape(StrEnum):
    """What the words of a rewrite alone tell of the change."""

    ROTATION = "rotation"
    LIST = "list"
    OTHER = "other"


class Cell(NamedTuple):
    """The shape of a rewrite, and whether it is probably a paraphrase."""

    shape: Shape
    is_paraphrase: bool

    @classmethod
    def measure(cls, text: str, rewrite: str, paraphrase: float | None) -> "Cell":
        """Return the cell of a rewrite of an English text, by its estimate of a paraphrase."""
        if is_rotation(text, rewrite):
            shape = Shape.ROTATION
        elif permutes_list(tokens(text), tokens(rewrite), "en"):
            shape = Shape.LIST
        else:
            shape = Shape.OTHER
        return cls(shape, (paraphrase or 0.0) >= PARAPHRASE)


# The shares of rewrites that are kept, in the order of choice. As most pairs are paraphrases, a
# rule gains only by the shape whose pairs mostly are none: of it few are kept.
# docs/decisions/0034-balanced-runs.md says why not the other way.
KEPT = {
    Cell(Shape.ROTATION, is_paraphrase=False): 1.0,
    Cell(Shape.ROTATION, is_paraphrase=True): 0.9,
    Cell(Shape.OTHER, is_paraphrase=True): 1.0,
    Cell(Shape.LIST, is_paraphrase=False): 1.0,
    Cell(Shape.LIST, is_paraphrase=True): 0.6,
    Cell(Shape.OTHER, is_paraphrase=False): 0.15,
}
RANKS = {cell: rank for rank, cell in enumerate(KEPT)}

T = TypeVar("T")


def choose(rewrites: Sequence[tuple[T, Cell]], text: str, seed: int) -> list[T]:
    """Return up to one rotation and one other rewrite of a text; they are given best first."""
    chosen = []
    for is_rotated in (True, False):
        of_side = [
            (rewrite, cell)
            for rewrite, cell in rewrites
            if (cell.shape is Shape.ROTATION) == is_rotated
        ]
        if of_side:
            rewrite, cell = min(of_side, key=lambda pair: RANKS[pair[1]])
            if draw(f"{seed} {is_rotated} {text}") < KEPT[cell]:
                chosen.append(rewrite)
    return chosen


def draw(text: str) -> float:
    """Return a number from 0 to below 1 that depends on the text alone."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest()) / 2**64
