"""Settings, checked when created and stored with every run as plain JSON; those of word swap."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Self

from generation.nlp.phrases import MOVABLE, Kind

# Marks a text for translation: forms translate it, and this module stays free of Django.
_ = str
KIND_NAMES: Mapping[str, str] = {
    Kind.NAME: _("names"),
    Kind.DATE: _("dates"),
    Kind.NUMBER: _("numbers"),
    Kind.ADJECTIVE: _("adjectives"),
    Kind.NOUN: _("nouns"),
    Kind.VERB: _("verbs"),
    Kind.ADVERB: _("adverbs"),
    Kind.PREPOSITION: _("prepositions"),
    Kind.NOUN_PHRASE: _("noun phrases"),
    Kind.OTHER: _("other words"),
    Kind.MIXED: _("more than one kind"),
}


def bounded(
    default: float, lowest: float, highest: float, *, label: str = "", text: str = ""
) -> Any:
    """Declare a number with its lowest and highest value, and its label and help on a form."""
    return described(default, label=label, text=text, bounds=(lowest, highest))


def described(default: Any, *, label: str, text: str = "", **more: Any) -> Any:
    """Declare a field with its label and help on a form."""
    return field(default=default, metadata={"label": label, "help": text, **more})


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Frozen settings; the type of a default is the type of its field.

    Integers are accepted as floats; booleans are not accepted as numbers.

    Raises:
        ValueError: a value has the wrong type or is out of bounds.
    """

    SUBJECT: ClassVar[str]

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            _check_type(each.name, value, type(each.default))
            if bounds := each.metadata.get("bounds"):
                _check_bounds(each.name, value, *bounds)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values, as from `to_dict`; missing keys get their defaults.

        Raises:
            ValueError: a key is unknown, or a value has the wrong type or is out of bounds.
        """
        if unknown := sorted(values.keys() - {each.name for each in fields(cls)}):
            raise ValueError(f"Unknown settings of {cls.SUBJECT}: {', '.join(unknown)}.")
        return cls(**values)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def _check_type(name: str, value: object, kind: type) -> None:
    accepted = (int, float) if kind is float else kind
    if not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool)):
        raise ValueError(f"The setting {name} must be of type {kind.__name__}, not {value!r}.")


def _check_bounds(name: str, value: float, lowest: float, highest: float) -> None:
    if not lowest <= value <= highest:
        raise ValueError(f"The setting {name} must be between {lowest} and {highest}.")


# Few questions give a candidate, and people accept fewer of them as they are (PAWS, Table 3).
QUESTION_ALLOWANCE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSwapSettings(Settings):
    """How words are swapped; defaults follow the paper if it states a value (PAWS 3.1).

    Attributes:
        movable: the kinds of words that may be exchanged; all others keep their place.
        max_changes: maximum number of words or phrases that differ from the source.
        beam: hypotheses kept at each slot.
        acceptance: minimum probability that people accept the candidate as it is; for a question
            QUESTION_ALLOWANCE less. 0 turns the estimate off.
        threshold: nats by which the swap may score below its source, over the whole sentence.
        largest_fall: nats that the swap may lose against its source within any stretch of it.
        likeness: minimum similarity of use for two nouns to be exchanged, from -1 to 1; other kinds
            need a fraction of it (`exchanges.NEEDED`). -1 allows all exchanges.
        entity_probability: names with a lower entity probability keep their place.
        min_tokens, max_tokens: sentences outside these bounds are skipped.
        rules: whether phrases that others depend on keep their place, and exchanges must fit "a"
            and "an", the size of numbers and the order of dates.
        fix_quotes, fix_brackets: whether words in quotation marks or brackets keep their place.
        per_sentence: maximum number of candidates of a sentence; no word moves in two of them.
        keep_alternatives: number of next best rewrites kept with their scores.
        list_pruning_keep: the share of sentences whose list permutations are not pruned.
        seed: draws the sentences in that share.
    """

    SUBJECT: ClassVar[str] = "word swap"

    movable: tuple[Kind, ...] = described(
        tuple(kind for kind in MOVABLE if kind is not Kind.PREPOSITION),
        label=_("Words to swap"),
        text=_("Other words keep their place."),
        choices={kind: KIND_NAMES[kind] for kind in MOVABLE},
    )
    max_changes: int = bounded(
        2,
        2,
        1_000,
        label=_("Maximum changes"),
        text=_("Words or phrases that may differ from the source; 2 is one swap."),
    )
    beam: int = bounded(
        100,
        1,
        10_000,
        label=_("Beam width"),
        text=_(
            "Partial rewrites compared at each word. A wider beam is slower but finds better "
            "rewrites."
        ),
    )
    acceptance: float = bounded(
        0.65,
        0.0,
        1.0,
        label=_("Minimum probability of acceptance"),
        text=_(
            "An estimate of how likely people accept the candidate as it is. Lower values give "
            "more but odder candidates; 0 turns the estimate off. Questions "
            "need 0.05 less."
        ),
    )
    threshold: float = bounded(
        10.0,
        0.0,
        1_000.0,
        label=_("Maximum loss of likelihood"),
        text=_(
            "For the whole sentence, as a natural log. Higher values give more but odder "
            "candidates."
        ),
    )
    largest_fall: float = bounded(
        15.0,
        0.0,
        1_000.0,
        label=_("Maximum loss in one place"),
        text=_("The same, within any part of the sentence."),
    )
    likeness: float = bounded(
        0.3,
        -1.0,
        1.0,
        label=_("Minimum similarity of swapped words"),
        text=_("1: only words that are used in the same way; -1: any words of the same kind."),
    )
    entity_probability: float = bounded(
        0.8,
        0.0,
        1.0,
        label=_("Minimum probability of a name"),
        text=_("Less certain names keep their place."),
    )
    min_tokens: int = bounded(
        5,
        1,
        1_000,
        label=_("Shortest sentence"),
        text=_("Words and punctuation marks. Shorter sentences are skipped."),
    )
    max_tokens: int = bounded(
        60,
        1,
        1_000,
        label=_("Longest sentence"),
        text=_("Words and punctuation marks. Longer sentences are skipped."),
    )
    rules: bool = described(
        True,
        label=_("Follow rules of grammar and sense"),
        text=_(
            "Ranges, totals and names that occur twice keep their place; “a” and “an” fit the "
            "next word; dates keep their order. The PAWS paper has no such rules."
        ),
    )
    fix_quotes: bool = described(True, label=_("Keep quoted words in place"))
    fix_brackets: bool = described(True, label=_("Keep words in brackets in place"))
    per_sentence: int = bounded(
        1,
        1,
        20,
        label=_("Candidates per sentence"),
        text=_("At most. No word moves in two candidates of a sentence."),
    )
    keep_alternatives: int = bounded(
        5,
        0,
        100,
        label=_("Stored alternatives"),
        text=_("Next-best rewrites stored with each candidate. Annotators don’t see them."),
    )
    list_pruning_keep: float = bounded(
        0.01,
        0.0,
        1.0,
        label=_("Share of list swaps kept"),
        text=_("Most swaps within a list, “A and B” to “B and A”, are dropped."),
    )
    seed: int = bounded(0, 0, 2**63 - 1)

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if not self.movable or not set(self.movable) <= set(MOVABLE):
            raise ValueError(f"The setting movable must list one or more of {', '.join(MOVABLE)}.")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values. Raises ValueError."""
        movable = values.get("movable", cls().movable)
        if not isinstance(movable, list | tuple) or not all(kind in MOVABLE for kind in movable):
            raise ValueError(f"The setting movable must list one or more of {', '.join(MOVABLE)}.")
        return super(WordSwapSettings, cls).from_dict(
            {**values, "movable": tuple(map(Kind, movable))}
        )

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"movable": [str(kind) for kind in self.movable]}

    def least_acceptance(self, text: str) -> float:
        """Return the minimum probability of acceptance for a rewrite with this text."""
        return self.acceptance - (QUESTION_ALLOWANCE if text.endswith("?") else 0.0)
