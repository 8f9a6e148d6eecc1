"""How far two sentences share words, and how far the order of the words differs (PAWS 3.2)."""

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

_MARK = re.compile(r"[^\w\s]")


def words(text: str) -> list[str]:
    """Words and marks of a text, for measuring where no tagger has been over it."""
    for mark in set(_MARK.findall(text)):  # few; to find all words by a pattern takes twice as long
        text = text.replace(mark, f" {mark} ")
    return text.split()


def likeness(text1: str, text2: str) -> tuple[float, float]:
    """`bow_similarity` and `inversion_rate` of two texts, which are taken apart once."""
    told1, told2 = _ToldApart.of(_folded_words(text1)), _ToldApart.of(_folded_words(text2))
    return _cosine(told1, told2), _crossed(told1, told2)


def bow_similarity(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Cosine of the two word-count vectors, in [0, 1]; words are compared case-insensitively.

    Two empty sentences are equal (1.0); an empty one shares nothing with another (0.0).
    """
    return _cosine(_ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2)))


def inversion_rate(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Crossed pairs of word alignments over all pairs of alignments, in [0, 1].

    The n-th occurrence of a word is aligned with its n-th occurrence in the other sentence. With
    fewer than two alignments nothing can cross, and the rate is 0.0.

    "On April 2 Jenkins married Ivy Vujic" and "Jenkins married Ivy on April 2" have six alignments,
    hence 15 pairs, of which 9 are crossed: 0.6 (PAWS, Figure 3).
    """
    return _crossed(_ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2)))


def alignments(words1: Sequence[str], words2: Sequence[str]) -> list[tuple[int, int]]:
    """Places of equal words, each used once, in the order of the first sentence."""
    told1, told2 = _ToldApart.of(_folded(words1)), _ToldApart.of(_folded(words2))
    places = told2.places()
    return [(place, places[word]) for place, word in enumerate(told1.words) if word in places]


def inversions(places: Sequence[int]) -> int:
    """Pairs that stand in descending order, counted in O(n log n) comparisons.

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
    """To fold a text at once is quicker; what it does to other letters may part words otherwise."""
    return words(text.lower()) if text.isascii() else _folded(words(text))


@dataclass(frozen=True, slots=True)
class _ToldApart:
    """Words of which none comes twice, as those that do are numbered, and how often each does."""

    words: list[str | tuple[str, int]]
    counts: dict[str, int]

    @classmethod
    def of(cls, words: Sequence[str]) -> "_ToldApart":
        told: list[str | tuple[str, int]] = []
        counts: dict[str, int] = {}  # a Counter takes several times as long to be made
        for word in words:
            before = counts.get(word, 0)
            told.append((word, before) if before else word)
            counts[word] = before + 1
        return cls(told, counts)

    def places(self) -> dict[str | tuple[str, int], int]:
        """Where each word stands."""
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
