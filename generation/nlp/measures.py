"""Measures of shared words and of differences in word order between sentences (PAWS 3.2)."""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"[^\w\s]")


def words(text: str) -> list[str]:
    """Split a text into words and punctuation marks without a tagger."""
    for mark in set(_MARK.findall(text)):  # few marks; a pattern for all words takes twice as long
        text = text.replace(mark, f" {mark} ")
    return text.split()


def likeness(text1: str, text2: str) -> tuple[float, float]:
    """Return `bow_similarity` and `inversion_rate` of two texts, splitting each only once."""
    told1, told2 = _ToldApart.of(_folded_words(text1)), _ToldApart.of(_folded_words(text2))
    return _cosine(told1, told2), _crossed(told1, told2)


def bow_similarity(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Return the cosine of the two word-count vectors, in [0, 1]; case-insensitive.

    Two empty sentences are equal (1.0); an empty and a non-empty one share nothing (0.0).
    """
    return _cosine(_ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2)))


def inversion_rate(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Return the share of crossed pairs among all pairs of word alignments, in [0, 1].

    The n-th occurrence of a word is aligned with its n-th occurrence in the other sentence. With
    fewer than two alignments nothing can cross, and the rate is 0.0.

    "On April 2 Jenkins married Ivy Vujic" and "Jenkins married Ivy on April 2" have six alignments,
    hence 15 pairs, of which 9 are crossed: 0.6 (PAWS, Figure 3).
    """
    return _crossed(_ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2)))


def alignments(words1: Sequence[str], words2: Sequence[str]) -> list[tuple[int, int]]:
    """Return the places of equal words, each used once, in the order of the first sentence."""
    told1, told2 = _ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2))
    places = told2.places()
    return [(place, places[word]) for place, word in enumerate(told1.words) if word in places]


def inversions(places: Sequence[int]) -> int:
    """Count the pairs in descending order with O(n log n) comparisons.

    >>> inversions([2, 0, 1])
    2
    """
    if places == sorted(places):
        return 0
    seen: list[int] = []
    count = highest = 0
    for place in places:
        if not seen or place >= highest:
            highest = place
            seen.append(place)
        else:
            rank = bisect_right(seen, place)
            count += len(seen) - rank
            seen.insert(rank, place)
    return count


def _folded(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _folded_words(text: str) -> list[str]:
    """Fold ASCII text before splitting, which is faster; other text might split differently."""
    return words(text.lower()) if text.isascii() else _folded(words(text))


@dataclass(frozen=True, slots=True)
class _ToldApart:
    """Distinct words, repeated ones numbered, and the count of each word."""

    words: list[str | tuple[str, int]]
    counts: dict[str, int]

    @classmethod
    def of(cls, words: Sequence[str]) -> "_ToldApart":
        told: list[str | tuple[str, int]] = []
        counts: dict[str, int] = {}  # much faster than a Counter
        for word in words:
            before = counts.get(word, 0)
            told.append((word, before) if before else word)
            counts[word] = before + 1
        return cls(told, counts)

    def places(self) -> dict[str | tuple[str, int], int]:
        """Return the place of each word."""
        return {word: place for place, word in enumerate(self.words)}


def _cosine(told1: _ToldApart, told2: _ToldApart) -> float:
    counts1, counts2 = told1.counts, told2.counts
    if counts1 == counts2:
        return 1.0
    shared = sum([count * counts2[word] for word, count in counts1.items() if word in counts2])
    lengths = _square(counts1) * _square(counts2)
    return shared / math.sqrt(lengths) if lengths else 0.0


def _square(counts: dict[str, int]) -> int:
    return sum([count * count for count in counts.values()])


def _crossed(told1: _ToldApart, told2: _ToldApart) -> float:
    places = told2.places()
    aligned = [places[word] for word in told1.words if word in places]
    pairs = math.comb(len(aligned), 2)
    return inversions(aligned) / pairs if pairs else 0.0
