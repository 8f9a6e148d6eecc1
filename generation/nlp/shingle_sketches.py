"""Sketches of shingle sets, used to look up similar sets.

Two sets of a Jaccard similarity of at least t share at least ceil(t n) shingles, where n is the
size of either. So any n - ceil(t n) + 1 shingles of a set include at least one of each set of that
similarity: looking up the rarest misses nothing (prefix filtering: Chaudhuri, Ganti and Kaushik, "A
Primitive Operator for Similarity Joins in Data Cleaning", 2006). The number of matches and the
sizes bound the number of shared shingles, and leave few pairs to compare.
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
    """Sketches of n sets, one row per set.

    Attributes:
        entries: sorted; half a hash of each shingle, and in the lower 32 bits the row of its set.
        sizes: shape [n], shingles in a set.
    """

    entries: Words
    sizes: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.sizes)

    def __add__(self, later: "Sketches") -> "Sketches":
        """Append the rows of `later`."""
        entries = np.concatenate([self.entries, later.entries + np.uint64(len(self))])
        entries.sort(kind="stable")  # merges two sorted halves
        return Sketches(entries, np.concatenate([self.sizes, later.sizes]))

    def take(self, rows: Sequence[int]) -> "Sketches":
        """Return the given rows, in this order."""
        moved = np.full(len(self), -1)
        moved[rows] = range(len(rows))
        places = moved[_row_of(self.entries)]
        entries = (self.entries & _SHINGLE | places.astype(np.uint64))[places >= 0]
        return Sketches(np.sort(entries), self.sizes[rows])


def sketches(sets: Sequence[Collection[str]]) -> Sketches:
    """Compute the sketches of sets.

    They use Python's hashes, which differ between processes: do not share sketches between them.
    """
    sizes = np.fromiter(map(len, sets), np.uint32, len(sets))
    rows = np.repeat(np.arange(len(sets), dtype=np.uint64), sizes)
    hashes = np.fromiter(map(hash, chain.from_iterable(sets)), np.int64, len(rows))
    return Sketches(np.sort(hashes.view(np.uint64) & _SHINGLE | rows), sizes)


def look_up(later: Sketches, earlier: Sketches, *, threshold: Fraction) -> Pairs:
    """Return candidate pairs of a row of `later` and a row of `earlier`, sorted and distinct.

    They include all pairs whose similarity is at least the threshold.
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
    """Return the number of shingles to look up for each set, from its size."""
    largest = int(sizes.max(initial=0))
    numbers = [size - ceil(threshold * size) + 1 for size in range(largest + 1)]
    return np.array(numbers, np.int64)[sizes]


def _rarest(later: Sketches, counts: Integers, enough: Integers) -> Integers:
    """Return the entries to look up: the rarest of each row, as many as `enough`."""
    order = np.lexsort((counts, _row_of(later.entries)))
    sizes = later.sizes.astype(np.int64)
    places = np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return order[places < np.repeat(enough, sizes)]


def _pairs(entries: Words, earlier: Words, starts: Integers, counts: Integers) -> Words:
    """Pack each entry's row (high bits) with the rows of earlier entries of the same shingle."""
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
    """Return the distinct pairs that can still share t / (1 + t) of the sum of their sizes."""
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
