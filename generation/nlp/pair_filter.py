"""Selects pairs worth judging: similar words, often in another order (PAWS 3.2)."""

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
    """Whether a pair is kept, or why it is dropped."""

    KEPT = "kept"
    BELOW_SIMILARITY = "below_similarity"
    NOT_DRAWN = "not_drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFilter:
    """The rules that select pairs; defaults follow the paper.

    Attributes:
        min_similarity: cosine of the word-count vectors below which a pair is dropped.
        reordered_above: the inversion rate above which a pair counts as reordered.
        reordered_share: the minimum share of reordered pairs among kept ones; 0 keeps all.
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
        """Return a filter that keeps everything."""
        return cls(min_similarity=0.0, reordered_share=0.0)

    def verdicts(self, pairs: Sequence[TextPair]) -> list[Verdict]:
        """Return the verdict on each pair of sentences, in order.

        All reordered pairs are kept, and as many of the others as the share allows. Which others
        are kept depends only on the seed and their texts, not on their order.
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
        """Whether the two sentences have sufficiently similar words."""
        return bow_similarity(*map(words, pair)) >= self.min_similarity - ROUNDING

    def is_reordered(self, pair: TextPair) -> bool:
        """Whether the order of the shared words differs enough."""
        return inversion_rate(*map(words, pair)) > self.reordered_above

    def _drawn(self, others: Iterable[TextPair], reordered: int) -> set[TextPair]:
        if not self.reordered_share:
            return set(others)
        allowed = floor(reordered * (1 - self.reordered_share) / self.reordered_share + ROUNDING)
        return set(sorted(others, key=self._draw)[:allowed])

    def _draw(self, pair: TextPair) -> bytes:
        source, rewrite = (text.encode() for text in pair)
        return blake2b(b"%d\t%s\t%s" % (self.seed, source, rewrite), digest_size=16).digest()
