"""Candidates that people accept as they are, next to the estimate of that."""

from dataclasses import dataclass

from annotation.stats.agreement import UNDEFINED, Estimate
from annotation.stats.intervals import wilson


@dataclass(frozen=True, slots=True)
class Corrected:
    """Corrected candidates: how many were accepted as they are, and the sum of their estimates.

    >>> adjectives, names = Corrected(20, 41, 30.0), Corrected(80, 100, 82.0)
    >>> round(adjectives.share.value, 2), round(adjectives.estimate, 2)
    (0.49, 0.73)
    >>> adjectives.is_worse_than(names)
    True
    """

    accepted: int = 0
    corrections: int = 0
    estimates: float = 0.0

    def __add__(self, other: "Corrected") -> "Corrected":
        return Corrected(
            self.accepted + other.accepted,
            self.corrections + other.corrections,
            self.estimates + other.estimates,
        )

    def __sub__(self, part: "Corrected") -> "Corrected":
        return Corrected(
            self.accepted - part.accepted,
            self.corrections - part.corrections,
            self.estimates - part.estimates,
        )

    @property
    def share(self) -> Estimate:
        """The share that was accepted as it is, with Wilson's interval."""
        if not self.corrections:
            return UNDEFINED
        interval = wilson(self.accepted, self.corrections)
        return Estimate(self.accepted / self.corrections, interval)

    @property
    def estimate(self) -> float | None:
        """The mean estimate."""
        return self.estimates / self.corrections if self.corrections else None

    def is_worse_than(self, others: "Corrected") -> bool:
        """Whether the whole interval of its share lies below that of the others."""
        interval, interval_of_others = self.share.interval, others.share.interval
        return bool(interval and interval_of_others and interval[1] < interval_of_others[0])
