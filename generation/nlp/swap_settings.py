"""All settings of a word swap, as one value that is stored with every run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

from generation.nlp.kinds import Kind

MOVABLE_BY_DEFAULT = (Kind.NAME, Kind.DATE, Kind.NUMBER, Kind.ADJECTIVE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSwapSettings:
    """How words are swapped; the defaults are the paper's where it names a value (PAWS 3.1).

    Attributes:
        movable: the kinds of words that may change places; all others stay where they are.
        beam: hypotheses kept at each slot.
        threshold: nats by which the swap may score below its source, over the whole sentence.
        largest_fall: nats that the swap may lose against its source within any stretch of it.
        entity_probability: from where on an entity is merged into one phrase.
        min_tokens, max_tokens: sentences outside these bounds give nothing.
        fix_quotes, fix_brackets: whether words inside quotation marks or brackets stay.
        keep_alternatives: the best alternatives that are kept with their scores.
        list_pruning_keep: the share of sentences whose list permutations are not pruned.
        seed: draws the sentences that are in that share.
    """

    movable: tuple[Kind, ...] = MOVABLE_BY_DEFAULT
    beam: int = 100
    threshold: float = 3.0
    largest_fall: float = 3.0
    entity_probability: float = 0.95
    min_tokens: int = 5
    max_tokens: int = 60
    fix_quotes: bool = True
    fix_brackets: bool = True
    keep_alternatives: int = 5
    list_pruning_keep: float = 0.01
    seed: int = 0

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Settings from plain values, as `to_dict` gives them; what is left out has its default.

        Raises:
            ValueError: a key is unknown, or a value is of the wrong type or out of bounds.
        """
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise ValueError(f"Unknown word swap settings: {', '.join(unknown)}.")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        """The settings as plain JSON values."""
        return asdict(self) | {"movable": [str(kind) for kind in self.movable]}
