"""Compares the words and word order of two sentences, and selects pairs by that (PAWS 3.2)."""

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from math import floor
from typing import ClassVar, TypeAlias
from uuid import UUID

from generation.nlp.settings import Settings, _, setting
from generation.nlp.text import pair_key
from generation.nlp.words import tokens, words

ROUNDING = 1e-9
TextPair: TypeAlias = tuple[str, str]
# A word, with the number of its occurrences before this one if there are any.
Occurrence: TypeAlias = str | tuple[str, int]


def likeness(text1: str, text2: str) -> tuple[float, float]:
    (words1, counts1), (words2, counts2) = (
        _number_words(tokens(text.lower()) if text.isascii() else _fold_case(tokens(text)))
        for text in (text1, text2)
    )
    return _cosine(counts1, counts2), _crossings(words1, words2)


def words_kept(before: str, after: str) -> float:
    """Return the share of the words of `before` that are in `after`, in any order; 1.0 if none."""
    old, new = (Counter(words(text.casefold())) for text in (before, after))
    return (old & new).total() / old.total() if old else 1.0


def bow_similarity(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Return the cosine of the word-count vectors; two empty sentences are equal."""
    return _cosine(_number_words(_fold_case(words1))[1], _number_words(_fold_case(words2))[1])


def inversion_rate(words1: Sequence[str], words2: Sequence[str]) -> float:
    """Return the share of crossed pairs among all pairs of word alignments, in [0, 1].

    The n-th occurrence of a word is aligned with its n-th occurrence in the other sentence. With
    fewer than two alignments nothing can cross, and the rate is 0.0.

    "On April 2 Jenkins married Ivy Vujic" and "Jenkins married Ivy on April 2" have six alignments,
    hence 15 pairs, of which 9 are crossed: 0.6 (PAWS, Figure 3).
    """
    return _crossings(_number_words(_fold_case(words1))[0], _number_words(_fold_case(words2))[0])


def is_rotation(text1: str, text2: str) -> bool:
    """Return whether a part went from one end to the other, case and punctuation aside.

    >>> is_rotation("In May, Ann left.", "Ann left in May.")
    True
    """
    return are_rotated(words(text1.casefold()), words(text2.casefold()))


def are_rotated(words1: Sequence[str], words2: Sequence[str]) -> bool:
    if len(words1) != len(words2) or words1 == words2:
        return False
    starts = (place for place, word in enumerate(words1) if word == words2[0])
    return any([*words1[start:], *words1[:start]] == words2 for start in starts)


def _fold_case(words: Sequence[str]) -> list[str]:
    return [word.casefold() for word in words]


def _number_words(words: Sequence[str]) -> tuple[list[Occurrence], dict[str, int]]:
    """Return the words, each repeated one with the number before it, and the counts of words."""
    counts: dict[str, int] = {}
    numbered: list[Occurrence] = []
    for word in words:
        number = counts.get(word, 0)
        counts[word] = number + 1
        numbered.append((word, number) if number else word)
    return numbered, counts


def _cosine(counts1: dict[str, int], counts2: dict[str, int]) -> float:
    if counts1 == counts2:
        return 1.0
    # Lists in sums, not generators: this is computed for every pair of an import.
    shared = sum([count * counts2[word] for word, count in counts1.items() if word in counts2])
    lengths = math.prod(sum([n * n for n in counts.values()]) for counts in (counts1, counts2))
    return shared / math.sqrt(lengths) if lengths else 0.0


def _crossings(words1: Sequence[Occurrence], words2: Sequence[Occurrence]) -> float:
    places = {word: place for place, word in enumerate(words2)}
    aligned = [places[word] for word in words1 if word in places]
    pairs = math.comb(len(aligned), 2)
    return inversions(aligned) / pairs if pairs else 0.0


def inversions(places: Sequence[int]) -> int:
    """Count the pairs in descending order with O(n log n) comparisons.

    >>> inversions([2, 0, 1])
    2
    """
    seen: list[int] = []
    count, highest = 0, -math.inf
    for place in places:
        if place >= highest:
            highest = place
            seen.append(place)
        else:
            rank = bisect_right(seen, place)
            count += len(seen) - rank
            seen.insert(rank, place)
    return count


class Verdict(StrEnum):
    """Whether a pair is kept, or why it is dropped."""

    KEPT = "kept"
    BELOW_SIMILARITY = "below_similarity"
    NOT_DRAWN = "not_drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFilter(Settings):
    """The rules that select pairs worth judging; defaults follow the paper.

    Similarity is `bow_similarity`. The seed draws which of the other pairs are kept.
    """

    SUBJECT: ClassVar[str] = "the filter of pairs"

    min_similarity: float = setting(
        0.9,
        _("Minimum similarity"),
        _("Compares the words of both sentences: 1 means identical words."),
        bounds=(0.0, 1.0),
    )
    reordered_above: float = setting(
        0.02,
        _("Reordered above this rate"),
        _("The inversion rate above which a rewrite counts as reordered."),
        bounds=(0.0, 1.0),
    )
    reordered_share: float = setting(
        0.5,
        _("Minimum share of reordered rewrites, in percent"),
        _("Other rewrites are dropped at random until this share is reached. 0 keeps all."),
        bounds=(0.0, 1.0),
        is_share=True,
    )
    seed: int = 0

    def verdicts(
        self, pairs: Sequence[TextPair], earlier: Set[UUID] = frozenset()
    ) -> list[Verdict]:
        """Return the verdict on each pair of sentences, in order.

        All reordered pairs are kept, and as many of the others as the share allows. Which others
        are kept depends only on the seed and their texts, not on their order.

        `earlier` are the keys (`pair_key`) of pairs that people judge already. These pairs, and
        repeated ones, are not judged again, so they don't count for the share.
        """
        alike = {pair for pair in pairs if self.is_alike(pair)}
        reordered = {pair for pair in alike if self.is_reordered(pair)}
        new_keys = {pair_key(*pair) for pair in reordered} - earlier
        kept = reordered | self._draw_others(alike - reordered, len(new_keys))
        verdict_of = dict.fromkeys(alike, Verdict.NOT_DRAWN) | dict.fromkeys(kept, Verdict.KEPT)
        return [verdict_of.get(pair, Verdict.BELOW_SIMILARITY) for pair in pairs]

    def is_alike(self, pair: TextPair) -> bool:
        return bow_similarity(*map(tokens, pair)) >= self.min_similarity - ROUNDING

    def is_reordered(self, pair: TextPair) -> bool:
        return inversion_rate(*map(tokens, pair)) > self.reordered_above

    def _draw_others(self, others: Iterable[TextPair], reordered: int) -> set[TextPair]:
        if not self.reordered_share:
            return set(others)
        allowed = floor(reordered * (1 - self.reordered_share) / self.reordered_share + ROUNDING)
        return set(sorted(others, key=self._draw)[:allowed])

    def _draw(self, pair: TextPair) -> bytes:
        source, rewrite = (text.encode() for text in pair)
        return blake2b(b"%d\t%s\t%s" % (self.seed, source, rewrite), digest_size=16).digest()
