"""Counts of bigrams and trigrams as sorted arrays, each n-gram packed into one integer."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Values = NDArray[np.float64]
Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Counts:
    """The n-grams of one order, sorted by their words, with indices into the lower order.

    `context` is the index of all words but the last, `suffix` that of all but the first; for
    bigrams both are words. `count` is the count for Kneser-Ney smoothing: occurrences of trigrams,
    distinct preceding words of bigrams.
    """

    context: Places  # (n,)
    suffix: Places  # (n,)
    count: Values  # (n,)

    def only(self, kept: Mask) -> "Counts":
        """Return only the selected n-grams."""
        return Counts(self.context[kept], self.suffix[kept], self.count[kept])

    def with_count(self, count: Values) -> "Counts":
        """Return these n-grams with other counts."""
        return replace(self, count=count)


def trigrams_and_bigrams(words: NDArray[np.uint16], *, bos: int, eos: int) -> tuple[Counts, Counts]:
    """Count the n-grams of concatenated sentences; none crosses a sentence boundary.

    A bigram that begins a sentence has no word before it and keeps its occurrence count (as do the
    highest n-grams).
    """
    w = words.astype(np.uint64)
    pair = w[:-1] << np.uint64(16) | w[1:]
    inside = w[:-1] != eos
    bigram_keys, bigram_count = np.unique(pair[inside], return_counts=True)
    triple = pair[:-1] << np.uint64(16) | w[2:]
    trigram_keys, count = np.unique(triple[inside[:-1] & inside[1:]], return_counts=True)
    context = np.searchsorted(bigram_keys, trigram_keys >> np.uint64(16))
    suffix = np.searchsorted(bigram_keys, trigram_keys & np.uint64(2**32 - 1))
    trigrams = Counts(context, suffix, count.astype(np.float64))
    first, second = _split(bigram_keys)
    preceding = np.bincount(suffix, minlength=len(bigram_keys))
    bigram_count = np.where(first == bos, bigram_count, preceding)
    return trigrams, Counts(first, second, bigram_count.astype(np.float64))


def _split(keys: NDArray[Any]) -> tuple[Places, Places]:
    return (keys >> np.uint64(16)).astype(np.intp), (keys & np.uint64(2**16 - 1)).astype(np.intp)
