"""Axes with round numbers."""

from dataclasses import dataclass
from math import ceil, floor, log10

STEPS = (1, 2, 5, 10)
MOST_STEPS = 4
# Avoids float errors such as 0.6000000000000001.
DIGITS = 10


@dataclass(frozen=True, slots=True)
class Axis:
    """Round numbers in ascending order, evenly spaced."""

    numbers: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return the position of a value on the axis, 0 to 1; clip values beyond its ends."""
        low, high = self.numbers[0], self.numbers[-1]
        return min(1.0, max(0.0, (value - low) / (high - low)))


def axis(low: float, high: float) -> Axis:
    """Return the shortest axis for both values, with at most four steps.

    >>> axis(0.83, 1.0).numbers
    (0.8, 0.85, 0.9, 0.95, 1.0)

    Raises ValueError if `low` is above `high`.
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
    """Return the numbers of the steps at or beyond both values."""
    return floor(round(low / step, DIGITS)), ceil(round(high / step, DIGITS))
