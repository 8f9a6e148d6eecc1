"""How far two sentences share words, and how far the order of the words differs (PAWS 3.2)."""

import math
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence

_WORD = re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[str]:
    """Words and marks of a text, for measuring where no tagger has been over it."""
    return _WORD.findall(text)


def likeness(text1: str, text2: str) -> tuple[float, float]:
    """`bow_similarity` and `inversion_rate` of two texts, which are taken apart once."""
    folded1, folded2 = _folded(words(text1)), _folded(words(text2))
    return _cosine(folded1, folded2), _crossed(folded1, folded2)


def bow_similarity(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Cosine of the two word-count vectors, in [0, 1]; words are compared case-insensitively.

    Two empty sentences are equal (1.0); an empty one shares nothing with another (0.0).
    """
    return _cosine(_folded(words1), _folded(words2))


def inversion_rate(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Crossed pairs of word alignments over all pairs of alignments, in [0, 1].

    The n-th occurrence of a word is aligned with its n-th occurrence in the other sentence. With
    fewer than two alignments nothing can cross, and the rate is 0.0.

    "On April 2 Jenkins married Ivy Vujic" and "Jenkins married Ivy on April 2" have six alignments,
    hence 15 pairs, of which 9 are crossed: 0.6 (PAWS, Figure 3).
    """
    return _crossed(_folded(words1), _folded(words2))


def alignments(words1: Sequence[str], words2: Sequence[str]) -> list[tuple[int, int]]:
    """Places of equal words, each used once, in the order of the first sentence."""
    return _aligned(_folded(words1), _folded(words2))


def inversions(places: Sequence[int]) -> int:
    """Pairs that stand in descending order, counted in O(n log n) comparisons.

    >>> inversions([2, 0, 1])
    2
    """
    if places == sorted(places):
        return 0
    seen: list[int] = []
    count = 0
    for place in places:
        rank = bisect_right(seen, place)
        count += len(seen) - rank
        seen.insert(rank, place)
    return count


def _folded(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _cosine(words1: Sequence[str], words2: Sequence[str]) -> float:
    counts1, counts2 = Counter(words1), Counter(words2)
    if dict.__eq__(counts1, counts2):  # a Counter's own comparison takes many times as long
        return 1.0
    shared = sum(count * counts2.get(word, 0) for word, count in counts1.items())
    lengths = sum(n * n for n in counts1.values()) * sum(n * n for n in counts2.values())
    return shared / math.sqrt(lengths) if lengths else 0.0


def _crossed(words1: Sequence[str], words2: Sequence[str]) -> float:
    aligned = _aligned(words1, words2)
    pairs = math.comb(len(aligned), 2)
    return inversions([place for _, place in aligned]) / pairs if pairs else 0.0


def _aligned(words1: Sequence[str], words2: Sequence[str]) -> list[tuple[int, int]]:
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place in range(len(words2) - 1, -1, -1):
        places[words2[place]].append(place)
    return [(place, places[word].pop()) for place, word in enumerate(words1) if places.get(word)]
