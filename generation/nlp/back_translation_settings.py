"""All settings of back translation, stored with every run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from generation.nlp.checks import check, refuse_unknown
from generation.nlp.pair_filter import PairFilter

BOUNDS = {
    "k": (1, 50),
    "min_similarity": (0.0, 1.0),
    "reordered_above": (0.0, 1.0),
    "reordered_share": (0.0, 1.0),
    "max_tokens": (1, 1_000),
    "max_rewrites": (1, 2_500),
    "seed": (0, 2**63 - 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslationSettings:
    """How back translations are generated and selected; defaults follow the paper (PAWS 3.2).

    Attributes:
        k: translations per sentence and per pivot text: k x k before deduplication.
        min_similarity: cosine of the word-count vectors below which a rewrite is dropped.
        reordered_above: the inversion rate above which a rewrite counts as reordered.
        reordered_share: the minimum share of reordered rewrites among those of a batch.
        max_tokens: sentences with more words and punctuation marks are skipped.
        max_rewrites: maximum number of rewrites per sentence; the likeliest are kept.
        seed: draws which of the rewrites that are not reordered are kept.

    Raises:
        ValueError: a value has the wrong type or is out of bounds.
    """

    k: int = 5
    min_similarity: float = 0.9
    reordered_above: float = 0.02
    reordered_share: float = 0.5
    max_tokens: int = 100
    max_rewrites: int = 25
    seed: int = 0

    def __post_init__(self) -> None:
        check(self, BOUNDS)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values, as from `to_dict`; missing keys get their defaults.

        Raises:
            ValueError: a key is unknown, or a value has the wrong type or is out of bounds.
        """
        refuse_unknown(cls, values, of="back translation")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return asdict(self)

    @property
    def filter(self) -> PairFilter:
        """The filter that selects rewrites."""
        return PairFilter(
            min_similarity=self.min_similarity,
            reordered_above=self.reordered_above,
            reordered_share=self.reordered_share,
            seed=self.seed,
        )
