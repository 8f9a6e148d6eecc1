"""All settings of a word swap, stored with every run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from generation.nlp.change_kinds import MOVABLE, Kind
from generation.nlp.checks import check, refuse_unknown

BOUNDS = {
    "beam": (1, 10_000),
    "max_changes": (2, 1_000),
    "threshold": (0.0, 1_000.0),
    "largest_fall": (0.0, 1_000.0),
    "likeness": (-1.0, 1.0),
    "entity_probability": (0.0, 1.0),
    "min_tokens": (1, 1_000),
    "max_tokens": (1, 1_000),
    "keep_alternatives": (0, 100),
    "list_pruning_keep": (0.0, 1.0),
    "seed": (0, 2**63 - 1),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSwapSettings:
    """How words are swapped; defaults follow the paper if it states a value (PAWS 3.1).

    Attributes:
        movable: the kinds of words that may be exchanged; all others keep their place.
        max_changes: maximum number of words or phrases that differ from the source.
        beam: hypotheses kept at each slot.
        threshold: nats by which the swap may score below its source, over the whole sentence.
        largest_fall: nats that the swap may lose against its source within any stretch of it.
        likeness: minimum similarity of use for two nouns to be exchanged, from -1 to 1; other kinds
            need a fraction of it (`exchange_rules.NEEDED`). -1 allows all exchanges.
        entity_probability: names with a lower entity probability keep their place.
        min_tokens, max_tokens: sentences outside these bounds are skipped.
        fix_quotes, fix_brackets: whether words in quotation marks or brackets keep their place.
        keep_alternatives: number of next best rewrites kept with their scores.
        list_pruning_keep: the share of sentences whose list permutations are not pruned.
        seed: draws the sentences in that share.

    Raises:
        ValueError: a value has the wrong type or is out of bounds.
    """

    movable: tuple[Kind, ...] = (Kind.NAME, Kind.DATE, Kind.NUMBER, Kind.ADJECTIVE, Kind.NOUN)
    max_changes: int = 2
    beam: int = 100
    threshold: float = 3.0
    largest_fall: float = 6.0
    likeness: float = 0.8
    entity_probability: float = 0.8
    min_tokens: int = 5
    max_tokens: int = 60
    fix_quotes: bool = True
    fix_brackets: bool = True
    keep_alternatives: int = 5
    list_pruning_keep: float = 0.01
    seed: int = 0

    def __post_init__(self) -> None:
        check(self, BOUNDS)
        if not set(self.movable) <= set(MOVABLE):
            raise ValueError(f"The setting movable must name kinds among {', '.join(MOVABLE)}.")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values, as from `to_dict`; missing keys get their defaults.

        Raises:
            ValueError: a key is unknown, or a value has the wrong type or is out of bounds.
        """
        refuse_unknown(cls, values, of="word swap")
        movable = values.get("movable", cls().movable)
        if not isinstance(movable, list | tuple) or not all(kind in MOVABLE for kind in movable):
            raise ValueError(f"The setting movable must list kinds among {', '.join(MOVABLE)}.")
        return cls(**{**values, "movable": tuple(map(Kind, movable))})

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return asdict(self) | {"movable": [str(kind) for kind in self.movable]}
