"""Sketches of sets of shingles, from which sets that are much alike can be looked up.

Two sets of a Jaccard similarity of at least t share at least ceil(t n) shingles, n being the size
of either. So one of any n - ceil(t n) + 1 shingles of a set is in every set that is that much like
it: looking up its rarest misses nothing (prefix filtering: Chaudhuri, Ganti and Kaushik, "A
Primitive Operator for Similarity Joins in Data Cleaning", 2006). How many of them are found in a
set, and the sizes, bound what the two can share, and leave few pairs to compare.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import ceil
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
Pairs: TypeAlias = tuple[Integers, Integers]

PAIRS_AT_ONCE = 1 << 20

_ROW = np.uint64(0xFFFFFFFF)
_SHINGLE = np.uint64(0xFFFFFFFF << 32)


@dataclass(frozen=True, slots=True)
class Sketches:
    """What is kept of n sets, row by row.

    Attributes:
        entries: sorted; half a hash of each shingle, and in the lower 32 bits the row of its set.
        sizes: shape [n], shingles in a set.
    """

    entries: Words
    sizes: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.sizes)

    def __add__(self, later: "Sketches") -> "Sketches":
        """These rows and then the later ones."""
        entries = np.concatenate([self.entries, later.entries + np.uint64(len(self))])
        entries.sort(kind="stable")  # two sorted halves are merged
        return Sketches(entries, np.concatenate([self.sizes, later.sizes]))

    def take(self, rows: Sequence[int]) -> "Sketches":
        """Some of the rows, in this order."""
        moved = np.full(len(self), -1)
        moved[rows] = range(len(rows))
        places = moved[_row_of(self.entries)]
        entries = (self.entries & _SHINGLE | places.astype(np.uint64))[places >= 0]
        return Sketches(np.sort(entries), self.sizes[rows])


def sketches(sets: Sequence[Collection[str]]) -> Sketches:
    """The sketches of some sets.

    Hashes are Python's own, which differ from process to process: no sketch serves in another.
    """
    sizes = np.fromiter(map(len, sets), np.uint32, len(sets))
    rows = np.repeat(np.arange(len(sets), dtype=np.uint64), sizes)
    hashes = np.fromiter(map(hash, chain.from_iterable(sets)), np.int64, len(rows))
    return Sketches(np.sort(hashes.view(np.uint64) & _SHINGLE | rows), sizes)


def look_up(later: Sketches, earlier: Sketches, *, threshold: Fraction) -> Pairs:
    """Pairs of a row of `later` and a row of `earlier`, sorted and each once, that may be alike.

    All whose similarity is at least the threshold are among them.
    """
    starts = np.searchsorted(earlier.entries, later.entries & _SHINGLE)
    counts = np.searchsorted(earlier.entries, later.entries | _ROW, side="right") - starts
    enough = _enough(later.sizes, threshold)
    chosen = _rarest(later, counts, enough)
    found = np.bincount(_row_of(later.entries[chosen]), counts[chosen], minlength=len(later))
    pieces = np.cumsum(found) // PAIRS_AT_ONCE
    alike = [np.empty(0, np.uint64)]
    for piece in np.unique(pieces):
        at = chosen[pieces[_row_of(later.entries[chosen])] == piece]
        pairs = _pairs(later.entries[at], earlier.entries, starts[at], counts[at])
        alike.append(_alike(pairs, later.sizes, enough, earlier.sizes, threshold))
    return _rows(np.concatenate(alike))


def _enough(sizes: NDArray[np.uint32], threshold: Fraction) -> Integers:
    """How many shingles of a set have to be looked up, by the set's size."""
    largest = int(sizes.max(initial=0))
    numbers = [size - ceil(threshold * size) + 1 for size in range(largest + 1)]
    return np.array(numbers, np.int64)[sizes]


def _rarest(later: Sketches, counts: Integers, enough: Integers) -> Integers:
    """Which entries to look up: enough of each row, the rarest."""
    order = np.lexsort((counts, _row_of(later.entries)))
    sizes = later.sizes.astype(np.int64)
    places = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[places < np.repeat(enough, sizes)]


def _pairs(entries: Words, earlier: Words, starts: Integers, counts: Integers) -> Words:
    """The row of each entry, above, with the row of each earlier entry of its shingle, below."""
    skipped = np.cumsum(counts) - counts
    places = np.arange(counts.sum()) + np.repeat(starts - skipped, counts)
    pairs: Words = np.repeat(entries << np.uint64(32), counts) | earlier[places] & _ROW
    return pairs


def _alike(
    pairs: Words,
    later: NDArray[np.uint32],
    enough: Integers,
    earlier: NDArray[np.uint32],
    threshold: Fraction,
) -> Words:
    """The pairs, each once, that can still share t / (1 + t) of the sum of their sizes."""
    distinct, found = np.unique(pairs, return_counts=True)
    rows, places = _rows(distinct)
    sizes, others = later[rows].astype(np.int64), earlier[places].astype(np.int64)
    shared = np.minimum(others, sizes - enough[rows] + found)
    share = threshold / (1 + threshold)
    alike: Words = distinct[shared * share.denominator >= (sizes + others) * share.numerator]
    return alike


def _row_of(entries: Words) -> Integers:
    return (entries & _ROW).astype(np.int64)


def _rows(pairs: Words) -> Pairs:
    return (pairs >> np.uint64(32)).astype(np.int64), _row_of(pairs)
