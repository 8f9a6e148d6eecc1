"""Panels that chart one measure over time, to be stacked: a mark for each period.

A panel without periods shows only its grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.projects.charts.axis import Axis

# The width of a bar as a share of its period; the rest is the gap.
BAR = 0.72


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its interval, if known."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A grid line and its number."""

    y: str
    number: float


@dataclass(frozen=True, slots=True)
class Dot:
    """The position of an estimate, and the ends of its interval if there is one."""

    x: str
    y: str
    low: str
    high: str

    @property
    def is_sure(self) -> bool:
        """Whether there is an interval."""
        return bool(self.low)


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar for a count."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The marks of one measure, in a box `height` pixels high."""

    height: int
    grid: tuple[Line, ...]
    dots: tuple[Dot, ...] = ()
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class Tick:
    """A label below a panel."""

    x: str
    word: str


def dots(estimates: Sequence[Estimate | None], axis: Axis, *, height: int) -> Panel:
    """Draw a dot in the middle of each period that has an estimate."""
    places = [
        _dot(each, axis, height, x=_percent((number + 0.5) / len(estimates)))
        for number, each in enumerate(estimates)
        if each is not None
    ]
    return Panel(height, _grid(axis, height), dots=tuple(places))


def bars(numbers: Sequence[float], axis: Axis, *, height: int) -> Panel:
    """Draw a bar for each period with a number above 0."""
    places = [
        Bar(
            x=_percent((number + (1 - BAR) / 2) / len(numbers)),
            y=_down(axis, value, height),
            width=_percent(BAR / len(numbers)),
            height=_pixels(axis.place(value) * height),
        )
        for number, value in enumerate(numbers)
        if value
    ]
    return Panel(height, _grid(axis, height), bars=tuple(places))


def ticks(words: Sequence[str], *, most: int = 6) -> list[Tick]:
    """Return labels for the starts of labelled periods: at most `most`, evenly spaced."""
    named = [(number, word) for number, word in enumerate(words) if word]
    step = max(1, -(-len(named) // most))
    return [Tick(_percent(number / len(words)), word) for number, word in named[::step]]


def across(estimate: Estimate, axis: Axis) -> Dot:
    """Place an estimate on a separate horizontal line."""
    low, high = estimate.interval or (None, None)
    return Dot(
        x=_percent(axis.place(estimate.value)),
        y="50%",
        low="" if low is None else _percent(axis.place(low)),
        high="" if high is None else _percent(axis.place(high)),
    )


def part(number: float, whole: float) -> str:
    """Return the length of a bar for a part of a whole."""
    return _percent(number / whole if whole else 0.0)


def _dot(estimate: Estimate, axis: Axis, height: int, *, x: str) -> Dot:
    low, high = estimate.interval or (None, None)
    return Dot(
        x=x,
        y=_down(axis, estimate.value, height),
        low="" if low is None else _down(axis, low, height),
        high="" if high is None else _down(axis, high, height),
    )


def _grid(axis: Axis, height: int) -> tuple[Line, ...]:
    return tuple(Line(_down(axis, number, height), number) for number in axis.numbers)


def _down(axis: Axis, value: float, height: int) -> str:
    return _pixels((1 - axis.place(value)) * height)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def _pixels(number: float) -> str:
    return f"{number:.1f}"
