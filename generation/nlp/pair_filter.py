"""Which pairs are worth judging: alike in their words, and often not in their order (PAWS 3.2)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from hashlib import blake2b
from math import floor
from typing import Self, TypeAlias

from generation.nlp.measures import bow_similarity, inversion_rate, words

ROUNDING = 1e-9

TextPair: TypeAlias = tuple[str, str]


class Verdict(StrEnum):
    """What is to become of a pair."""

    KEPT = "kept"
    BELOW_SIMILARITY = "below_similarity"
    NOT_DRAWN = "not_drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFilter:
    """The rules by which pairs are kept; defaults are the paper's.

    Attributes:
        min_similarity: cosine of the word-count vectors below which a pair is dropped.
        reordered_above: the inversion rate above which a pair counts as reordered.
        reordered_share: the least share of reordered pairs among those that are kept; 0 keeps all.
        seed: draws which of the others are kept.

    Raises:
        ValueError: a value is out of bounds.
    """

    min_similarity: float = 0.9
    reordered_above: float = 0.02
    reordered_share: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self) if field.name != "seed"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"The setting {name} must be between 0 and 1.")

    @classmethod
    def lenient(cls) -> Self:
        """A filter that keeps everything."""
        return cls(min_similarity=0.0, reordered_share=0.0)

    def verdicts(self, pairs: Sequence[TextPair]) -> list[Verdict]:
        """The verdict on each pair of sentences, in order.

        All reordered pairs are kept, and as many of the others as the share allows. Which of them
        depends on the seed and their texts alone, not on the order in which pairs come.
        """
        alike = {pair for pair in pairs if self.is_alike(pair)}
        reordered = {pair for pair in alike if self.is_reordered(pair)}
        drawn = reordered | self._drawn(alike - reordered, len(reordered))
        return [
            Verdict.KEPT
            if pair in drawn
            else Verdict.NOT_DRAWN
            if pair in alike
            else Verdict.BELOW_SIMILARITY
            for pair in pairs
        ]

    def is_alike(self, pair: TextPair) -> bool:
        """Whether the two sentences share enough words."""
        return bow_similarity(*map(words, pair)) >= self.min_similarity - ROUNDING

    def is_reordered(self, pair: TextPair) -> bool:
        """Whether enough of the shared words stand in another order."""
        return inversion_rate(*map(words, pair)) > self.reordered_above

    def _drawn(self, others: Iterable[TextPair], reordered: int) -> set[TextPair]:
        if not self.reordered_share:
            return set(others)
        allowed = floor(reordered * (1 - self.reordered_share) / self.reordered_share + ROUNDING)
        return set(sorted(others, key=self._draw)[:allowed])

    def _draw(self, pair: TextPair) -> bytes:
        source, rewrite = (text.encode() for text in pair)
        return blake2b(b"%d\t%s\t%s" % (self.seed, source, rewrite), digest_size=16).digest()
