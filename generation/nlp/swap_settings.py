"""All settings of a word swap, as one value that is stored with every run."""

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
    """How words are swapped; where the paper names a value it is the default (PAWS 3.1).

    Attributes:
        movable: the kinds of words that may change places; all others stay where they are.
        max_changes: how many words or phrases may stand elsewhere than in the source.
        beam: hypotheses kept at each slot.
        threshold: nats by which the swap may score below its source, over the whole sentence.
        largest_fall: nats that the swap may lose against its source within any stretch of it.
        likeness: how alike two nouns must be used to change places, from -1 to 1; other kinds
            need a part of it (`exchanges.NEEDED`). -1 lets all of them.
        entity_probability: from where on an entity is merged into one phrase.
        min_tokens, max_tokens: sentences outside these bounds give nothing.
        fix_quotes, fix_brackets: whether words inside quotation marks or brackets stay.
        keep_alternatives: how many of the next best rewrites are kept with their scores.
        list_pruning_keep: the share of sentences whose list permutations are not pruned.
        seed: draws the sentences that are in that share.

    Raises:
        ValueError: a value is of the wrong type or out of bounds.
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
        """Settings from plain values, as `to_dict` gives them; what is left out has its default.

        Raises:
            ValueError: a key is unknown, or a value is of the wrong type or out of bounds.
        """
        refuse_unknown(cls, values, of="word swap")
        movable = values.get("movable", cls().movable)
        if not isinstance(movable, list | tuple) or not all(kind in MOVABLE for kind in movable):
            raise ValueError(f"The setting movable must list kinds among {', '.join(MOVABLE)}.")
        return cls(**{**values, "movable": tuple(map(Kind, movable))})

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values."""
        return asdict(self) | {"movable": [str(kind) for kind in self.movable]}
