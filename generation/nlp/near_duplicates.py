"""Sentences that nearly repeat an earlier one: they share most of their runs of three words.

Near-duplicates are found exactly, all of them and no others, in memory of about 170 bytes for
each sentence: sketches tell the few that may be alike, and the words of those are compared.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from generation.nlp.shingle_sketches import Integers, Pairs, Sketches, look_up, sketches

SHINGLE_WORDS = 3
THRESHOLD = Fraction(7, 10)
PAIRS_AT_ONCE = 10_000

Shingles: TypeAlias = frozenset[str]

_WORD = re.compile(r"\w+")


def shingles(text: str) -> Shingles:
    """The runs of three words of a text; case and punctuation count for nothing.

    A text of one or two words is one shingle, and one without words has none.

    >>> sorted(shingles("The cat sat, the cat ran."))
    ['cat sat the', 'sat the cat', 'the cat ran', 'the cat sat']
    """
    words = _WORD.findall(text.casefold())
    if len(words) < SHINGLE_WORDS:
        return frozenset([" ".join(words)] if words else [])
    return frozenset(map(" ".join, zip(words, words[1:], words[2:], strict=False)))


def are_near(shingles1: Shingles, shingles2: Shingles, *, threshold: Fraction) -> bool:
    """Whether the Jaccard similarity, shared shingles over all, is at least the threshold.

    Two empty sets share nothing.
    """
    shared = len(shingles1 & shingles2)
    together = max(1, len(shingles1) + len(shingles2) - shared)
    return shared * threshold.denominator >= together * threshold.numerator


@dataclass(slots=True)
class NearDuplicates:
    """The texts of a corpus, by their places in it, as far as repeats of them are to be found.

    `texts_at` gives the texts that stand at some places, in the order of these.
    """

    texts_at: Callable[[Sequence[int]], Sequence[str]]
    threshold: Fraction = THRESHOLD
    _blocks: list[Sketches] = field(default_factory=list)

    def __len__(self) -> int:
        return sum(map(len, self._blocks))

    def scan(self, texts: Sequence[str]) -> "Scan":
        """Look further texts up, before it is decided which of them are kept."""
        sets = [shingles(text) for text in texts]
        found = sketches(sets)
        within: defaultdict[int, list[int]] = defaultdict(list)
        for row, other in _each(look_up(found, found, threshold=self.threshold)):
            within[row].append(other)
        return Scan(self, sets, found, self._earlier(sets, found), within)

    def enter(self, texts: Sequence[str]) -> None:
        """Give texts the places after the last, without asking what they repeat."""
        self.add(sketches([shingles(text) for text in texts]))

    def add(self, later: Sketches) -> None:
        """Enter what is kept of texts. Blocks are merged, so that few remain."""
        self._blocks.append(later)
        while len(self._blocks) > 1 and len(self._blocks[-2]) <= 3 * len(self._blocks[-1]):
            last = self._blocks.pop()
            self._blocks[-1] += last

    def _earlier(self, sets: Sequence[Shingles], later: Sketches) -> dict[int, int]:
        """The first place that each row nearly repeats, for the rows that do."""
        matched: dict[int, int] = {}
        begin = 0
        for block in self._blocks:
            rows, places = look_up(later, block, threshold=self.threshold)
            order = np.argsort(places, kind="stable")
            for at in np.array_split(order, len(order) // PAIRS_AT_ONCE + 1):
                self._compare(sets, rows[at], places[at] + begin, matched)
            begin += len(block)
        return matched

    def _compare(
        self, sets: Sequence[Shingles], rows: Integers, places: Integers, matched: dict[int, int]
    ) -> None:
        """Enter the rows that nearly repeat their place; places come in order."""
        distinct = np.unique(places).tolist()
        others = dict(zip(distinct, map(shingles, self.texts_at(distinct)), strict=True))
        for row, place in _each((rows, places)):
            if row not in matched and are_near(sets[row], others[place], threshold=self.threshold):
                matched[row] = place


@dataclass(slots=True)
class Scan:
    """Some texts to be gone through in order: each is asked for, and then kept or not."""

    index: NearDuplicates
    sets: Sequence[Shingles]
    sketches: Sketches
    earlier: Mapping[int, int]
    within: Mapping[int, Sequence[int]]
    _kept: dict[int, int] = field(default_factory=dict)

    def match(self, row: int) -> int | None:
        """The first place whose text this row nearly repeats, also among the rows kept so far."""
        if row in self.earlier:
            return self.earlier[row]
        kept = (other for other in self.within.get(row, ()) if other in self._kept)
        near = (other for other in kept if self._are_near(row, other))
        return self._kept.get(next(near, -1))

    def keep(self, row: int) -> None:
        """Give the row the next place."""
        self._kept[row] = len(self.index) + len(self._kept)

    def close(self) -> None:
        """Enter the rows that were kept."""
        self.index.add(self.sketches.take(list(self._kept)))

    def _are_near(self, row: int, other: int) -> bool:
        return are_near(self.sets[row], self.sets[other], threshold=self.index.threshold)


def _each(pairs: Pairs) -> Iterator[tuple[int, int]]:
    return zip(pairs[0].tolist(), pairs[1].tolist(), strict=True)
