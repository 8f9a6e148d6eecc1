"""Settings, checked when created and stored with every run as plain JSON; those of word swap."""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, Self

from generation.nlp.phrases import MOVABLE, Kind
from generation.nlp.recalibration import SHIFTS, SLOPES, Recalibration

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
    Kind.ADVERBIAL: _("adverbials"),
    Kind.OTHER: _("other words"),
    Kind.MIXED: _("more than one kind"),
}


class Role(StrEnum):
    """What a model does in a method."""

    TAGGER = "tagger"
    LANGUAGE_MODEL = "language_model"
    TRANSLATOR = "translator"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class Field:
    """The one declaration of a setting: what is allowed, stored and shown on a form.

    Attributes:
        default: gives the type. Integers are accepted as floats, booleans not as numbers.
        label, help: texts that forms translate.
        bounds: lowest and highest value of a number.
        choices: the allowed values with their names; of a tuple, those of its parts.
        pattern: a regular expression that allows more texts than the choices, and its meaning.
        role: of a setting that names a model, what the model does.
        optional: whether a model may be left out.
        is_share: whether people enter and read the number in percent.
        long: whether a text may have several lines.
    """

    name: str
    default: Any
    label: str = ""
    help: str = ""
    bounds: tuple[float, float] | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    pattern: tuple[str, str] | None = None
    role: Role | None = None
    optional: bool = False
    is_share: bool = False
    long: bool = False

    def check(self, value: Any) -> None:
        """Raise ValueError for a value of the wrong type, or one that is not allowed."""
        kind, must = type(self.default), f"The setting {self.name} must"
        accepted: Any = (int, float) if kind is float else kind
        if not isinstance(value, accepted) or (kind is not bool and isinstance(value, bool)):
            type_name = "list" if kind is tuple else kind.__name__
            raise ValueError(f"{must} be of type {type_name}, not {value!r}.")
        if self.bounds and not self.bounds[0] <= value <= self.bounds[1]:
            raise ValueError(f"{must} be between {self.bounds[0]} and {self.bounds[1]}.")
        if self.pattern:
            if not re.fullmatch(self.pattern[0], value):
                raise ValueError(f"{must} be {self.pattern[1]}, not {value!r}.")
        elif self.choices and kind is tuple:
            if not value or not all(choice in self.choices for choice in value):
                raise ValueError(f"{must} list one or more of {', '.join(self.choices)}.")
        elif self.choices and value not in self.choices:
            raise ValueError(f"{must} be one of {', '.join(self.choices)}.")


def setting(default: Any, label: str, text: str = "", **more: Any) -> Any:
    """Declare a setting in a class of settings; `more` are attributes of its Field."""
    return field(default=default, metadata={"label": label, "help": text, **more})


def shortest_sentence(default: int) -> Any:
    text = _("Words and punctuation marks. Shorter sentences are skipped.")
    return setting(default, _("Shortest sentence"), text, bounds=(1, 1_000))


def longest_sentence(default: int, *, most: int = 1_000) -> Any:
    text = _("Words and punctuation marks. Longer sentences are skipped.")
    return setting(default, _("Longest sentence"), text, bounds=(1, most))


def stored_alternatives(default: int) -> Any:
    text = _("Next-best rewrites stored with each candidate. Annotators don’t see them.")
    return setting(default, _("Stored alternatives"), text, bounds=(0, 100))


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Frozen settings. Raises ValueError for a value of the wrong type, or not allowed."""

    SUBJECT: ClassVar[str]

    def __post_init__(self) -> None:
        for entry in self.declared():
            entry.check(getattr(self, entry.name))

    @classmethod
    def declared(cls) -> tuple[Field, ...]:
        return tuple(Field(entry.name, entry.default, **entry.metadata) for entry in fields(cls))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return settings from plain values; missing keys get their defaults. Raises ValueError."""
        if unknown := sorted(values.keys() - {entry.name for entry in fields(cls)}):
            raise ValueError(f"Unknown settings of {cls.SUBJECT}: {', '.join(unknown)}.")
        plain = {name: tuple(v) if isinstance(v, list) else v for name, v in values.items()}
        return cls(**plain)

    def to_dict(self) -> dict[str, Any]:
        values = asdict(self).items()
        return {name: [*map(str, v)] if isinstance(v, tuple) else v for name, v in values}


@dataclass(frozen=True, slots=True)
class Preset:
    """Settings under a name, as they differ from the defaults; most leave the choice of models.

    `example` is a sentence of the demonstration and what the method gives for it; `per_hundred` is
    how many of 100 sentences of Wikipedia get a candidate, None where it was not counted, and
    `accepted` how many candidates were accepted as they are, of how many that were read.
    """

    name: str
    title: str
    text: str
    settings: Mapping[str, Any]
    example: tuple[str, ...] = ()
    per_hundred: int | None = None
    accepted: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSwapSettings(Settings):
    """How words are swapped; defaults follow the paper if it states a value (PAWS 3.1).

    `likeness` is that of two nouns; other kinds need a fraction of it (`exchanges.NEEDED`). The
    seed draws the share of sentences whose list permutations are kept.
    """

    SUBJECT: ClassVar[str] = "word swap"

    movable: tuple[Kind, ...] = setting(
        tuple(kind for kind in MOVABLE if kind is not Kind.PREPOSITION),
        _("Words to swap"),
        _(
            "Other words keep their place. Adverbials move between the beginning and the end: "
            "“In 1951, he left”, “He left in 1951”."
        ),
        choices={kind: KIND_NAMES[kind] for kind in MOVABLE},
    )
    max_changes: int = setting(
        2,
        _("Maximum changes"),
        _("Words or phrases that may differ from the source; 2 is one swap."),
        bounds=(2, 1_000),
    )
    beam: int = setting(
        100,
        _("Beam width"),
        _(
            "Partial rewrites compared at each word. A wider beam is slower but finds better "
            "rewrites."
        ),
        bounds=(1, 10_000),
    )
    acceptance: float = setting(
        0.65,
        _("Minimum probability of acceptance"),
        _(
            "An estimate of how likely people accept the candidate as it is. Lower values give "
            "more but odder candidates; 0 turns the estimate off."
        ),
        bounds=(0.0, 1.0),
    )
    # Few questions give a candidate. Of those from 0.5 to 0.6 people accept about half.
    acceptance_of_questions: float = setting(
        0.6,
        _("Minimum for questions"),
        _("The same for sentences that end with a question mark."),
        bounds=(0.0, 1.0),
    )
    threshold: float = setting(
        10.0,
        _("Maximum loss of likelihood"),
        _(
            "For the whole sentence, as a natural log. Higher values give more but odder "
            "candidates."
        ),
        bounds=(0.0, 1_000.0),
    )
    largest_fall: float = setting(
        15.0,
        _("Maximum loss in one place"),
        _("The same, within any part of the sentence."),
        bounds=(0.0, 1_000.0),
    )
    likeness: float = setting(
        0.3,
        _("Minimum similarity of swapped words"),
        _("1: only words that are used in the same way; -1: any words of the same kind."),
        bounds=(-1.0, 1.0),
    )
    entity_probability: float = setting(
        0.8,
        _("Minimum probability of a name"),
        _("Less certain names keep their place."),
        bounds=(0.0, 1.0),
    )
    min_tokens: int = shortest_sentence(5)
    max_tokens: int = longest_sentence(60)
    rules: bool = setting(
        True,
        _("Follow rules of grammar and sense"),
        _(
            "Ranges, totals and names that occur twice keep their place; “a” and “an” fit the "
            "next word; dates keep their order. The PAWS paper has no such rules."
        ),
    )
    fix_quotes: bool = setting(True, _("Keep quoted words in place"))
    fix_brackets: bool = setting(True, _("Keep words in brackets in place"))
    per_sentence: int = setting(
        1,
        _("Candidates per sentence"),
        _("At most. No word moves in two candidates of a sentence."),
        bounds=(1, 20),
    )
    keep_alternatives: int = stored_alternatives(5)
    list_pruning_keep: float = setting(
        0.01,
        _("Share of list swaps kept"),
        _("Most swaps within a list, “A and B” to “B and A”, are dropped."),
        bounds=(0.0, 1.0),
    )
    balance: bool = setting(
        False,
        _("Balance moves and exchanges"),
        _(
            "Adverbials also move into another clause, and clauses change places, so that moves "
            "are no sure sign of a paraphrase."
        ),
    )
    estimate_slope: float = setting(
        1.0,
        _("Correction of the estimate: slope"),
        _(
            "The log-odds of the estimate are multiplied by it. 1 and a shift of 0 leave the "
            "estimate as it is."
        ),
        bounds=SLOPES,
    )
    estimate_shift: float = setting(
        0.0,
        _("Correction of the estimate: shift"),
        _("Added to the log-odds. Below 0: people accept fewer candidates than estimated."),
        bounds=SHIFTS,
    )
    seed: int = 0

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.min_tokens > self.max_tokens:
            raise ValueError(
                "min_tokens (shortest sentence) must not be above max_tokens (longest)."
            )

    @property
    def recalibration(self) -> Recalibration:
        return Recalibration(self.estimate_slope, self.estimate_shift)

    def least_acceptance(self, text: str) -> float:
        return self.acceptance_of_questions if text.endswith("?") else self.acceptance
