"""Geometry of charts: from plain values to the attributes of SVG elements.

Horizontal values are percentages of the width, so that a chart fits any screen while its text keeps
its size; vertical values are pixels. Numbers are strings with a decimal point in every language,
because SVG requires it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor, log, log10
from typing import TypeAlias

from annotation.stats.agreement import Estimate

STEPS = (1, 2, 5, 10)
MOST_STEPS = 4
# Avoids float errors such as 0.6000000000000001.
DIGITS = 10
# The width of a bar as a share of its period; the rest is the gap.
BAR = 0.72
# The height of a panel of agreement.
HEIGHT = 110
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
# Axes of counts reach at least this value: below it, labels rounded to integers would repeat.
LEAST = 4
# Of the chart of seconds: its lines, its ends in width, and half of a dot in pixels.
SECONDS, MINUTE, LEAST_SECONDS = (1, 10, 60), 60, 0.1
LEFT, RIGHT, DOT = 0.07, 0.98, 4

# Of a curve: the margins at both sides, and where it begins and the whole is, from above.
MARGIN, BOTTOM, TOP = 4, 128, 20


@dataclass(frozen=True, slots=True)
class Axis:
    """Round numbers in ascending order, evenly spaced."""

    numbers: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return the position of a value on the axis, 0 to 1; clip values beyond its ends."""
        low, high = self.numbers[0], self.numbers[-1]
        return min(1.0, max(0.0, (value - low) / (high - low)))


@dataclass(frozen=True, slots=True)
class Line:
    """A grid line and its number."""

    y: str
    number: float


@dataclass(frozen=True, slots=True)
class Dot:
    """The position of an estimate, and the ends of its interval, empty if there is none."""

    x: str
    y: str
    low: str
    high: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar for a count."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The marks of one measure over time, one for each period, in a box `height` pixels high."""

    height: int
    grid: tuple[Line, ...]
    dots: tuple[Dot, ...] = ()
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class Tick:
    """A label below a panel."""

    x: str
    word: str


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds as dots in order on a logarithmic scale; `limit` is the height of the limit."""

    height: int
    grid: tuple[Line, ...]
    dots: tuple[tuple[str, str, bool], ...]
    limit: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A line in a box of 100 by 150 units, and how high it ends; `area` is closed below it."""

    points: str
    end: str

    @property
    def area(self) -> str:
        return f"{self.points} {100 - MARGIN:d},{BOTTOM:d} {MARGIN:d},{BOTTOM:d}"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar of shares, in percent; its colour is a class: done, doing, lost or bad."""

    colour: str
    x: str
    width: str


# A bar whose parts are shares of a whole.
Shares: TypeAlias = tuple[Part, ...]


def shares(numbers: Mapping[str, float], whole: float) -> Shares:
    """Return a bar of these numbers, by colour from the start; what is left of the whole is free.

    >>> [part.width for part in shares({"done": 1, "lost": 1}, 4)]
    ['25.00%', '25.00%']
    """
    parts, before = [], 0.0
    for colour, number in numbers.items():
        if number:
            parts.append(Part(colour, _percent(before / whole), _percent(number / whole)))
        before += number
    return tuple(parts)


def along(part: float) -> str:
    """Return the place of a part of the whole, 0 to 1, between the margins of a chart."""
    return _percent((MARGIN + (100 - 2 * MARGIN) * part) / 100)


def place(value: float, low: float) -> str:
    """Return the place of a share on a scale from `low` to 1, between the margins of a chart."""
    return along((value - low) / (1 - low))


def curve(numbers: Sequence[int], whole: int) -> Curve:
    """Draw how numbers add up, from 0 at the beginning of the first period.

    >>> curve([1, 1], 4).points
    '4.00,128.0 50.00,101.0 96.00,74.0'
    """
    total, heights = 0, [float(BOTTOM)]
    for number in numbers:
        total += number
        heights.append(BOTTOM - (BOTTOM - TOP) * total / (whole or 1))
    width = (100 - 2 * MARGIN) / len(numbers)
    points = " ".join(f"{MARGIN + width * period:.2f},{y:.1f}" for period, y in enumerate(heights))
    return Curve(points, f"{heights[-1]:.1f}")


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
    step, lowest, highest = next(end for end in ends if end[2] - end[1] <= MOST_STEPS)
    numbers = range(lowest, max(highest, lowest + 1) + 1)
    return Axis(tuple(round(number * step, DIGITS - exponent) for number in numbers))


def count_axis(numbers: Sequence[float]) -> Axis:
    """Return an axis from 0 to the highest number, or to LEAST."""
    return axis(0, max(LEAST, *numbers))


def dots(estimates: Sequence[Estimate], axis: Axis, *, height: int) -> Panel:
    """Draw a dot in the middle of each period that has a value."""
    middles = ((number + 0.5) / len(estimates) for number in range(len(estimates)))
    return _dots(list(zip(middles, estimates, strict=True)), axis, height)


def reliability(shares: Sequence[tuple[float, Estimate]], *, height: int) -> Panel:
    """Draw shares at scores, both from 0 to 1: on the diagonal where scores are calibrated."""
    return _dots(shares, Axis(QUARTERS), height)


def agreement(estimates: Sequence[Estimate]) -> Panel:
    """Draw a measure on an axis that ends at 1, perfect agreement."""
    defined = [estimate for estimate in estimates if estimate.value is not None]
    ends = [end for estimate in defined for end in (estimate.value, *(estimate.interval or ()))]
    return dots(estimates, axis(min([*ends, 0.9]), 1.0), height=HEIGHT)


def bars(numbers: Sequence[float], *, height: int, scale: Axis | None = None) -> Panel:
    """Draw a bar for each period with a number above 0, on an axis of counts if none is given."""
    scale = scale or count_axis(numbers)
    places = [
        Bar(
            x=_percent((number + (1 - BAR) / 2) / len(numbers)),
            y=_y_pixels(scale, value, height),
            width=_percent(BAR / len(numbers)),
            height=_pixels(scale.place(value) * height),
        )
        for number, value in enumerate(numbers)
        if value
    ]
    return Panel(height, _grid(scale, height), bars=tuple(places))


def ticks(words: Sequence[str], *, most: int = 6) -> list[Tick]:
    """Return labels for the starts of labelled periods: at most `most`, evenly spaced."""
    named = [(number, word) for number, word in enumerate(words) if word]
    step = max(1, -(-len(named) // most))
    return [Tick(_percent(number / len(words)), word) for number, word in named[::step]]


def times(seconds: Sequence[float], limit: float, *, height: int) -> Times:
    """Draw a dot for each number of seconds, from the left end to the right; True below the limit.

    The room at the left is for the numbers of the grid.
    """
    lowest = max(LEAST_SECONDS, min([*seconds, limit / 2]))
    scale = Axis((log(lowest), log(max([*seconds, MINUTE]))))
    span = RIGHT - LEFT

    def y(value: float) -> str:
        return _pixels(DOT + (1 - scale.place(log(max(value, lowest)))) * (height - 2 * DOT))

    return Times(
        height,
        tuple(Line(y(number), number) for number in SECONDS if lowest <= number),
        tuple(
            (_percent(LEFT + span * place / max(1, len(seconds) - 1)), y(value), value < limit)
            for place, value in enumerate(seconds)
        ),
        y(limit),
    )


def horizontal_dot(estimate: Estimate, axis: Axis) -> Dot | None:
    """Place an estimate on a separate horizontal line; None if it has no value."""
    if estimate.value is None:
        return None
    ends = [_percent(axis.place(end)) for end in estimate.interval or ()] or ["", ""]
    return Dot(_percent(axis.place(estimate.value)), "50%", *ends)


def part(number: float, whole: float) -> str:
    return _percent(number / whole if whole else 0.0)


def _ends(low: float, high: float, step: float) -> tuple[int, int]:
    """Return the numbers of the steps at or beyond both values."""
    return floor(round(low / step, DIGITS)), ceil(round(high / step, DIGITS))


def _dots(estimates: Sequence[tuple[float, Estimate]], axis: Axis, height: int) -> Panel:
    """Draw a dot for each estimate that has a value, at its place from left to right, 0 to 1."""
    marks = []
    for x, estimate in estimates:
        if estimate.value is not None:
            ends = [_y_pixels(axis, end, height) for end in estimate.interval or ()] or ["", ""]
            marks.append(Dot(_percent(x), _y_pixels(axis, estimate.value, height), *ends))
    return Panel(height, _grid(axis, height), dots=tuple(marks))


def _grid(axis: Axis, height: int) -> tuple[Line, ...]:
    return tuple(Line(_y_pixels(axis, number, height), number) for number in axis.numbers)


def _y_pixels(axis: Axis, value: float, height: int) -> str:
    return _pixels((1 - axis.place(value)) * height)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _pixels(number: float) -> str:
    return f"{number:.1f}"
