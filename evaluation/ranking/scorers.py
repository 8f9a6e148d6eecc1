"""Scorers that need no training and no download: how similar two texts are (partial paraphrases 5).

Words are divided by white space, in scripts without spaces by character, and their case is kept.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from evaluation.contract import Scores
from evaluation.data import Pairs
from generation.nlp import vector_likeness
from generation.nlp.words import pieces, words


class Scorer(Protocol):
    """Scores pairs; higher is more similar, nan where it cannot score."""

    def __call__(self, pairs: Pairs, /) -> Scores: ...


def jaccard(first: str, second: str) -> float:
    """Return the share of words that are in both texts.

    >>> jaccard("A dog barks", "a dog barks")
    0.5
    """
    return _jaccard(set(pieces(first)), set(pieces(second)))


def bigrams(first: str, second: str) -> float:
    """Return the share of words, and pairs of neighbouring words, that are in both texts."""
    words1, words2 = pieces(first), pieces(second)
    return _jaccard({*words1, *pairwise(words1)}, {*words2, *pairwise(words2)})


def _jaccard(one: set[Any], other: set[Any]) -> float:
    return len(one & other) / len(one | other) if one | other else np.nan


def cosine(first: str, second: str) -> float:
    counts1, counts2 = Counter(pieces(first)), Counter(pieces(second))
    size = np.sqrt(_product(counts1, counts1) * _product(counts2, counts2))
    return float(_product(counts1, counts2) / size) if size else np.nan


def _product(one: Mapping[str, int], other: Mapping[str, int]) -> int:
    return sum(number * other.get(word, 0) for word, number in one.items())


def order(first: str, second: str) -> float:
    """Return the share of words in matching blocks in the same order (difflib's ratio)."""
    return SequenceMatcher(None, pieces(first), pieces(second), autojunk=False).ratio()


def vectors(first: str, second: str) -> float:
    """Return the cosine of the mean embedded vectors of the words; nan without a known word."""
    likeness = vector_likeness.load_embedded()
    vector1, vector2 = (likeness.mean(words(text)).astype(np.float64) for text in (first, second))
    size = np.sqrt((vector1 @ vector1) * (vector2 @ vector2))
    # The order of words must not show in the last digits of a sum.
    return round(float(vector1 @ vector2 / size), 6) if size else np.nan


_SIMILARITIES: Mapping[str, Callable[[str, str], float]] = {
    "jaccard": jaccard,
    "cosine": cosine,
    "bigrams": bigrams,
    "order": order,
    "vectors": vectors,
}
NAMES: Sequence[str] = tuple(_SIMILARITIES)


def scorer(name: str) -> Scorer:
    """Return the scorer of this name. Raises ValueError for a name that is not in NAMES."""
    if name not in _SIMILARITIES:
        raise ValueError(f"No scorer is called {name!r}. There are {', '.join(NAMES)}.")
    similarity = _SIMILARITIES[name]

    def scores(pairs: Pairs, /) -> Scores:
        return np.array([similarity(*texts) for texts in pairs.texts], dtype=np.float64)

    return scores
