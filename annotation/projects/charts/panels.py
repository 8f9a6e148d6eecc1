"""One measure over time: a column of marks for each period, above one another with others like it.

A panel without periods is drawn as nothing but its grid.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.projects.charts.axis import Axis

# Of the width of a period; the rest is left between it and the next.
BAR = 0.72


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and the interval that it is known within, if it is."""

    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the grid, and the number that it stands for."""

    y: str
    number: float


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate: its place, and the ends of its interval where there is one."""

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
    """A number of things."""

    x: str
    y: str
    width: str
    height: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The marks of one measure, in a box of so many pixels."""

    height: int
    grid: tuple[Line, ...]
    dots: tuple[Dot, ...] = ()
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True)
class Tick:
    """A word below a panel."""

    x: str
    word: str


def dots(estimates: Sequence[Estimate | None], axis: Axis, *, height: int) -> Panel:
    """A dot in the middle of each period that has an estimate."""
    places = [
        _dot(each, axis, height, x=_percent((number + 0.5) / len(estimates)))
        for number, each in enumerate(estimates)
        if each is not None
    ]
    return Panel(height, _grid(axis, height), dots=tuple(places))


def bars(numbers: Sequence[float], axis: Axis, *, height: int) -> Panel:
    """A bar for each period in which there is anything."""
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
    """Words below the beginnings of periods that have one: no more than `most`, evenly spaced."""
    named = [(number, word) for number, word in enumerate(words) if word]
    step = max(1, -(-len(named) // most))
    return [Tick(_percent(number / len(words)), word) for number, word in named[::step]]


def across(estimate: Estimate, axis: Axis) -> Dot:
    """An estimate on a line of its own, from left to right."""
    low, high = estimate.interval or (None, None)
    return Dot(
        x=_percent(axis.place(estimate.value)),
        y="50%",
        low="" if low is None else _percent(axis.place(low)),
        high="" if high is None else _percent(axis.place(high)),
    )


def part(number: float, whole: float) -> str:
    """How long a bar is that stands for a part of a whole."""
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
