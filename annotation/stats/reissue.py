"""Who agrees too little with the consensus, and who enough to judge in their place (PARADE 4.3)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from annotation.stats.agreement import Confusion

Person = TypeVar("Person", bound=Hashable)
# The least and the greatest value of each rule.
BOUNDS: Mapping[str, tuple[float, float]] = {
    "below": (0.0, 1.0),
    "above": (0.0, 1.0),
    "most": (1, 100),
    "fewest": (1, 10_000),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """Thresholds of Cohen's kappa against the consensus; the defaults are those of PARADE.

    A kappa under `below` is low and one over `above` is high. Of people with a high one, at most
    `most` are asked. `fewest` is the number of decided pairs without which a kappa says too little.
    Raises ValueError outside BOUNDS, or if `below` exceeds `above`.
    """

    below: float = 0.4
    above: float = 0.75
    most: int = 5
    fewest: int = 30

    def __post_init__(self) -> None:
        for name, (least, greatest) in BOUNDS.items():
            if not least <= getattr(self, name) <= greatest:
                raise ValueError(f"{name} is not between {least:g} and {greatest:g}")
        if self.below > self.above:
            raise ValueError(f"below ({self.below:g}) exceeds above ({self.above:g})")


PARADE = Rules()


class Level(StrEnum):
    """Where a kappa is; UNKNOWN if it is undefined or of too few pairs."""

    LOW = "low"
    MIDDLE = "middle"
    HIGH = "high"
    UNKNOWN = "unknown"


def level(confusion: Confusion, rules: Rules = PARADE) -> Level:
    """Return the level of one person's kappa.

    >>> level(Confusion({(0, 0): 20, (1, 1): 20}))
    <Level.HIGH: 'high'>
    """
    kappa = confusion.kappa_value
    if kappa is None or confusion.pairs < rules.fewest:
        return Level.UNKNOWN
    if kappa < rules.below:
        return Level.LOW
    return Level.HIGH if kappa > rules.above else Level.MIDDLE


def low_people(people: Mapping[Person, Confusion], rules: Rules = PARADE) -> list[Person]:
    """Return the people whose kappa is low, lowest first."""
    low_keys = [key for key, confusion in people.items() if level(confusion, rules) is Level.LOW]
    return sorted(low_keys, key=lambda key: people[key].kappa_value or 0.0)


def best_people(people: Mapping[Person, Confusion], rules: Rules = PARADE) -> list[Person]:
    """Return the people with the highest kappas of those that are high.

    Of equal ones, that of more pairs is better; those with as many come in the given order.
    """
    high = [key for key, confusion in people.items() if level(confusion, rules) is Level.HIGH]
    high.sort(key=lambda key: (people[key].kappa_value, people[key].pairs), reverse=True)
    return high[: rules.most]
