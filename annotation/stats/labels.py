"""The label scheme of a study: the labels that people choose from, and what follows from them.

An answer is stored as the PLACE of its label, counted from 0; the values and names of labels are
read and written only at the edges. On the scales 0 to K-1 both are the same number.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from math import sqrt
from operator import mul
from typing import Any

from common.marked import MarkedError
from common.marked import gettext_noop as _

FEWEST, MOST = 2, 11
LEAST_VALUE, MOST_VALUE = -99, 99
LONGEST_NAME = 40
SENTENCES = 2


class Level(StrEnum):
    """What the values of labels mean (Stevens 1946): names, an order, or equal steps."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"


class Rule(StrEnum):
    """What the answers to a pair become.

    SIDE: the side of the border with more votes. MOST: the label with most votes. MEAN: the mean of
    the values. NONE: the distribution alone.
    """

    SIDE = "side"
    MOST = "most"
    MEAN = "mean"
    NONE = "none"


class BadScheme(MarkedError):
    """A scheme that cannot be."""


@dataclass(frozen=True, slots=True)
class Label:
    value: int
    name: str


@dataclass(frozen=True)
class Scheme:
    """Labels in ascending order of value, and how they decide a pair.

    `border` is the value of the lowest label of the upper side, None without sides. In a `directed`
    scheme the sentences have roles, which `captions` name; (A, B) and (B, A) are two pairs.

    Raises BadScheme.
    """

    labels: tuple[Label, ...]
    level: Level
    rule: Rule
    border: int | None = None
    directed: bool = False
    captions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _check_labels(self.labels)
        _check_values(self.values, self.level)
        if problem := _problem_of_rule(self) or _problem_of_border(self):
            raise BadScheme(problem)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Scheme":
        """Return the scheme that `to_dict` wrote. Raises BadScheme for other contents."""
        try:
            labels = [Label(int(label["value"]), str(label["name"])) for label in values["labels"]]
            level, rule = Level(values["level"]), Rule(values["rule"])
            border, captions = values.get("border"), values.get("captions", ())
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            message = _("A scheme has labels with value and name, a level and a rule.")
            raise BadScheme(message) from error
        is_directed = bool(values.get("directed", False))
        return cls(tuple(labels), level, rule, border, is_directed, tuple(map(str, captions)))

    def to_dict(self) -> dict[str, Any]:
        """Return JSON without what is not set."""
        values = {
            "labels": [asdict(label) for label in self.labels],
            "level": self.level.value,
            "rule": self.rule.value,
            "border": self.border,
            "directed": self.directed,
            "captions": list(self.captions),
        }
        return {name: value for name, value in values.items() if value not in (None, False, [])}

    @property
    def size(self) -> int:
        return len(self.labels)

    @cached_property
    def values(self) -> tuple[int, ...]:
        return tuple(label.value for label in self.labels)

    @cached_property
    def border_place(self) -> int | None:
        """The place of the border; None without sides."""
        return None if self.border is None else self.values.index(self.border)

    @property
    def decides(self) -> bool:
        """Whether votes decide the label of a pair."""
        return self.rule in (Rule.SIDE, Rule.MOST)

    @property
    def is_binary(self) -> bool:
        """Whether the label of a pair is one of two sides."""
        return self.rule is Rule.SIDE

    @property
    def has_mean(self) -> bool:
        """Whether the answers to a pair become their mean."""
        return self.rule is Rule.MEAN

    @property
    def composes(self) -> bool:
        """Whether pairs give labels to others: two sides, whatever the order of the sentences."""
        return self.is_binary and not self.directed

    @property
    def is_ordered(self) -> bool:
        return self.level is not Level.NOMINAL

    @property
    def has_equal_steps(self) -> bool:
        return self.level is Level.INTERVAL

    @property
    def compares_by_distance(self) -> bool:
        """Whether people are compared by their distance from the others, not with a majority."""
        return self.has_equal_steps and not self.decides

    @property
    def is_graded(self) -> bool:
        """Whether there are more than two labels in an order."""
        return self.is_ordered and self.size > FEWEST

    @property
    def shows_values(self) -> bool:
        """Whether people see the values of labels: they are in an order, or names are numbers."""
        return self.is_ordered or any(label.name == str(label.value) for label in self.labels)

    @property
    def tolerance(self) -> int:
        """How many places from the known label an answer to a qualification pair is right."""
        return 1 if self.has_equal_steps else 0

    @property
    def folds(self) -> bool:
        """Whether several labels have the same outcome."""
        return len(self.outcomes) < self.size

    @cached_property
    def outcomes(self) -> tuple[str, ...]:
        """What votes are counted by: the two sides, or the labels.

        A side of one label has its name; one of several has the names of the first and the last.
        """
        if self.border_place is None:
            return tuple(label.name for label in self.labels)
        sides = self.labels[: self.border_place], self.labels[self.border_place :]
        return tuple(" – ".join(dict.fromkeys((side[0].name, side[-1].name))) for side in sides)

    @property
    def in_words(self) -> str:
        """The names of the labels, with their values: entailment (0), neutral (1)."""
        return ", ".join(
            label.name if label.name == str(label.value) else f"{label.name} ({label.value})"
            for label in self.labels
        )

    @cached_property
    def outcome_values(self) -> tuple[int, ...]:
        """The value of each outcome in files and replies: 0 and 1 for sides, else values."""
        return self.values if self.border_place is None else (0, 1)

    @property
    def pair_labels(self) -> tuple[int | None, ...]:
        """The labels that a kept pair may have; None alone where votes decide none."""
        return self.outcome_values if self.decides else (None,)

    def outcome(self, place: int) -> int:
        """Return the place of an outcome: the side of a label or, without a border, its place."""
        return place if self.border_place is None else int(place >= self.border_place)

    def votes(self, tally: Sequence[int]) -> tuple[int, ...]:
        """Return the number of votes for each outcome, from the number of answers by label."""
        if (border := self.border_place) is None:
            return tuple(tally)
        return sum(tally[:border]), sum(tally[border:])

    def mean(self, tally: Sequence[int]) -> float | None:
        """Return the mean value of answers that are counted by label; None without any."""
        if not (number := sum(tally)):
            return None
        return float(sum(map(mul, self.values, tally)) / number)

    def spread(self, tally: Sequence[int]) -> float | None:
        """Return the standard deviation of the values of these answers; None without any."""
        if (mean := self.mean(tally)) is None:
            return None
        squares = (
            number * (value - mean) ** 2 for value, number in zip(self.values, tally, strict=True)
        )
        return sqrt(sum(squares) / sum(tally))

    def value(self, place: int) -> int:
        return self.labels[place].value

    def name_of(self, place: int) -> str:
        return self.labels[place].name

    def place(self, text: str | int) -> int:
        """Return the place of a label from its value or its name in any case. Raises BadScheme."""
        value_or_name = str(text).strip().casefold()
        for place, label in enumerate(self.labels):
            if value_or_name in (str(label.value), label.name.casefold()):
                return place
        message = _("“%(text)s” is no label of this study. Labels: %(labels)s.")
        raise BadScheme(message, text=str(text).strip(), labels=self.in_words)


def scale(highest: int, *, border: int, names: Sequence[str] = ()) -> Scheme:
    """Return grades from 0 to `highest` with two sides; without names they are called by number."""
    labels = tuple(
        Label(value, name)
        for value, name in enumerate(names or [str(n) for n in range(highest + 1)])
    )
    level = Level.NOMINAL if len(labels) == FEWEST else Level.ORDINAL
    return Scheme(labels, level, Rule.SIDE, border)


def _check_labels(labels: Sequence[Label]) -> None:
    if not FEWEST <= len(labels) <= MOST:
        message = _("A scheme has 2 to 11 labels; this one has %(number)s.")
        raise BadScheme(message, number=len(labels))
    names = Counter(label.name.strip().casefold() for label in labels)
    for label in labels:
        if not 1 <= len(label.name.strip()) <= LONGEST_NAME:
            raise BadScheme(_("The name of a label has 1 to 40 characters."))
        if names[label.name.strip().casefold()] > 1:
            message = _("Two labels are called “%(name)s”. Give each its own name.")
            raise BadScheme(message, name=label.name)
        if _is_number(label.name) and label.name != str(label.value):
            raise BadScheme(_("Call this label something other than a number."))


def _check_values(values: Sequence[int], level: Level) -> None:
    if not all(LEAST_VALUE <= value <= MOST_VALUE for value in values):
        raise BadScheme(_("Values are whole numbers from -99 to 99."))
    for value, following in pairwise(values):
        if following <= value:
            message = _("The values must ascend: %(next)s comes after %(value)s.")
            raise BadScheme(message, next=following, value=value)
    if level is Level.NOMINAL and [*values] != [*range(len(values))]:
        raise BadScheme(_("Labels without an order have the values 0, 1, 2 and so on."))


def _is_number(text: str) -> bool:
    return text.strip().removeprefix("-").isdecimal()


def may_have_border(level: str, rule: str, size: int) -> bool:
    """Return whether this number of labels can have two sides."""
    return rule != Rule.MOST and (level != Level.NOMINAL or size == FEWEST)


def _problem_of_border(scheme: Scheme) -> str:
    """Return why there may be no border, or why one is needed; empty if all is well."""
    if not may_have_border(scheme.level, scheme.rule, scheme.size):
        if scheme.rule is Rule.SIDE:
            return _(
                "Labels without an order have no sides. Choose “the most frequent label”, or say "
                "that they are in an order."
            )
        return "" if scheme.border is None else _("Remove the border: these labels have no sides.")
    if scheme.border is None:
        if scheme.rule is Rule.SIDE:
            return _("Enter the lowest value of the upper side.")
        if scheme.level is not Level.NOMINAL:
            return _(
                "Enter the lowest value of the upper side: gold pairs and flags compare sides."
            )
    elif scheme.border not in scheme.values[1:]:
        return _("The lowest value of the upper side is that of a label other than the lowest.")
    return ""


def _problem_of_rule(scheme: Scheme) -> str:
    if scheme.rule is Rule.MOST and scheme.size == FEWEST:
        return _("With two labels, choose “the side with more votes”.")
    if scheme.rule is Rule.MEAN and scheme.level is not Level.INTERVAL:
        return _("A mean needs labels in an order with equal steps.")
    if scheme.captions and not (scheme.directed and len(scheme.captions) == SENTENCES):
        return _("Captions name the two sentences of a directed study.")
    return ""


# The labels of PAWS (section 4).
SAME_OR_DIFFERENT = scale(1, border=1, names=("Different meaning", "Same meaning"))
