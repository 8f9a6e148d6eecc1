"""Who of a study needs a look, and why: rules on plain numbers, without the database.

A flag alone proves nothing: people who answer fast may still agree.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median
from typing import Any, Final

from annotation.stats.intervals import wilson

# An agreement of fewer pairs says too little, about the person or about the others.
FEWEST_PAIRS = 20
# How far below the median of the others the upper end of an agreement must be.
GAP = 0.10
# Agreement is good that is at most this far below the median of the others.
GOOD_WITHIN = 0.05
FEWEST_GOLD, LEAST_GOLD = 5, 0.6
# The natural log of how much better carelessness explains the answers: e^20 is past any doubt.
STRONG_RATIO = 20.0
NEARLY_ALL, HALF = 0.8, 0.5
FAST: Final = "fast"
MOST_FACTS = 2


class Level(StrEnum):
    """What a manager should do about a person, most urgent first."""

    LOOK = "look"
    WATCH = "watch"
    FINE = "fine"
    HANDLED = "handled"


class Sign(StrEnum):
    """What speaks against a person."""

    APART = "apart"
    GOLD = "gold"
    FLAG = "flag"
    KAPPA = "kappa"


@dataclass(frozen=True, slots=True)
class Numbers:
    """A person's numbers: on how many pairs they agree with the others, gold pairs, open flags.

    `flags` holds the evidence of each flag, with its kind as `flag`. `is_handled` people are paused
    or excluded: a manager has acted already.
    """

    agreeing: int = 0
    compared: int = 0
    gold_right: int = 0
    gold_given: int = 0
    flags: tuple[Mapping[str, Any], ...] = ()
    kappa_is_low: bool = False
    is_handled: bool = False

    @property
    def agreement(self) -> float | None:
        """The share of pairs on which they agree; None for too few pairs."""
        return self.agreeing / self.compared if self.compared >= FEWEST_PAIRS else None


@dataclass(frozen=True, slots=True)
class Fact:
    """A sign with the level that it justifies; `values` are the numbers of its sentence."""

    sign: Sign
    level: Level
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Risk:
    """The level of a person, the strongest facts behind it, and whether they agree well."""

    level: Level
    facts: tuple[Fact, ...] = ()
    agrees_well: bool = False


def assess(person: Numbers, others: Sequence[Numbers]) -> Risk:
    """Return the level of a person; `others` are those of the study without them."""
    values = [
        other.agreement for other in others if not other.is_handled and other.agreement is not None
    ]
    facts = sorted(_facts(person, values), key=lambda fact: [*Level].index(fact.level))
    level = facts[0].level if facts else Level.FINE
    return Risk(
        level=Level.HANDLED if person.is_handled else level,
        facts=tuple(facts[:MOST_FACTS]),
        agrees_well=_agrees_well(person, values),
    )


def assess_all(people: Sequence[Numbers]) -> list[Risk]:
    """Return the level of each person among the others, in the order of the people."""
    return [
        assess(person, [*people[:place], *people[place + 1 :]])
        for place, person in enumerate(people)
    ]


def _facts(person: Numbers, of_others: Sequence[float]) -> Iterator[Fact]:
    """Yield the facts, strongest first among those of one level."""
    if of_others and _is_apart(person, of_others):
        values = {
            "agreement": person.agreement,
            "lowest": min(of_others),
            "highest": max(of_others),
        }
        yield Fact(Sign.APART, Level.LOOK, values)
    if person.gold_given >= FEWEST_GOLD and person.gold_right < LEAST_GOLD * person.gold_given:
        values = {"right": person.gold_right, "given": person.gold_given}
        yield Fact(Sign.GOLD, Level.LOOK, values)
    for flag in sorted(person.flags, key=_ratio, reverse=True):
        yield Fact(Sign.FLAG, _level_of_flag(flag), flag)
    if person.kappa_is_low:
        yield Fact(Sign.KAPPA, Level.WATCH, {})


def _is_apart(person: Numbers, of_others: Sequence[float]) -> bool:
    interval = wilson(person.agreeing, person.compared)
    if person.agreement is None or interval is None:
        return False
    return interval[1] < median(of_others) - GAP


def _agrees_well(person: Numbers, of_others: Sequence[float]) -> bool:
    if person.agreement is None or not of_others:
        return False
    return person.agreement >= median(of_others) - GOOD_WITHIN


def _level_of_flag(flag: Mapping[str, Any]) -> Level:
    if "ratio" not in flag:  # such as of a browser that two people used: there are no figures
        return Level.WATCH
    is_strong = _ratio(flag) >= STRONG_RATIO
    if flag.get("flag") != FAST:
        return Level.LOOK if is_strong else Level.WATCH
    share = flag["fast"] / flag["answers"]
    if is_strong and share >= NEARLY_ALL:
        return Level.LOOK
    return Level.WATCH if share >= HALF else Level.FINE


def _ratio(flag: Mapping[str, Any]) -> float:
    """Return the ratio of a flag; 0 for one without figures."""
    return float(flag.get("ratio", 0.0))
