"""Axes with round numbers."""

from dataclasses import dataclass
from math import ceil, floor, log10

STEPS = (1, 2, 5, 10)
MOST_STEPS = 4
# Steps are sums of floats: 0.6 must not be 0.6000000000000001.
DIGITS = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """Round numbers from the lowest to the highest, evenly spaced."""

    numbers: tuple[float, ...]

    def place(self, value: float) -> float:
        """Where a value lies between both ends, 0 to 1; beyond them, at the nearer one."""
        low, high = self.numbers[0], self.numbers[-1]
        return min(1.0, max(0.0, (value - low) / (high - low)))


def axis(low: float, high: float) -> Axis:
    """The shortest axis that holds both values, with four steps at most.

    >>> axis(0.83, 1.0).numbers
    (0.8, 0.85, 0.9, 0.95, 1.0)

    Raises ValueError when `low` is above `high`.
    """
    if low > high:
        raise ValueError(f"no axis goes from {low} up to {high}")
    span = high - low or abs(high) or 1.0
    exponent = floor(log10(span)) - 1
    unit: float = 10.0**exponent
    steps = (factor * unit * scale for scale in (1, 10) for factor in STEPS)
    ends = ((step, *_ends(low, high, step)) for step in steps)
    step, first, last = next(each for each in ends if each[2] - each[1] <= MOST_STEPS)
    numbers = range(first, max(last, first + 1) + 1)
    return Axis(tuple(round(number * step, DIGITS - exponent) for number in numbers))


def _ends(low: float, high: float, step: float) -> tuple[int, int]:
    """The steps at or beyond both values."""
    return floor(round(low / step, DIGITS)), ceil(round(high / step, DIGITS))
