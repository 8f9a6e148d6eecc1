"""The learning curve on the page: its text keeps its size on every screen, and its colours follow
the page. `charts.curve` draws the file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from annotation.projects.charts import Axis, axis

MEASURE = "average_precision"
HEIGHT = 220
# Styles in the style sheet; further models begin again.
SERIES = 6
Place = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Series:
    """A model: its dots, the lines between them, and the range over seeds at each."""

    model: str
    style: int
    dots: tuple[Place, ...]
    lines: tuple[tuple[Place, Place], ...]
    ranges: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """x in percent of the width and y in pixels, with grid lines and ticks (place, number)."""

    height: int
    grid: tuple[tuple[str, float], ...]
    ticks: tuple[tuple[str, float], ...]
    series: tuple[Series, ...]

    @property
    def digits(self) -> int:
        """Return the decimals that the numbers of the grid need."""
        return 0 if all(float(number).is_integer() for _, number in self.grid) else 1


def chart(figures: Mapping[str, Any]) -> Chart | None:
    """Draw the AUC-PR of each model by the number of training pairs; None without any."""
    known = {
        each["model"]: [point for point in each["points"] if point[MEASURE]]
        for each in figures["models"]
    }
    every = [point for points in known.values() for point in points]
    if not every:
        return None
    ends = [100 * point[MEASURE][end] for point in every for end in ("low", "high")]
    down, across = axis(min(ends), max(ends)), axis(0, max(point["pairs"] for point in every))
    return Chart(
        HEIGHT,
        tuple((_y(down, number), number) for number in down.numbers),
        tuple((_x(across, number), number) for number in across.numbers),
        tuple(_series(known, across, down)),
    )


def _series(
    known: Mapping[str, Sequence[Mapping[str, Any]]], across: Axis, down: Axis
) -> Iterator[Series]:
    for number, (model, points) in enumerate(known.items()):
        measured = [(_x(across, point["pairs"]), point[MEASURE]) for point in points]
        dots = tuple((x, _y(down, 100 * of["mean"])) for x, of in measured)
        ranges = tuple(
            (x, _y(down, 100 * of["low"]), _y(down, 100 * of["high"])) for x, of in measured
        )
        yield Series(model, number % SERIES, dots, tuple(pairwise(dots)), ranges)


def _x(across: Axis, value: float) -> str:
    return f"{100 * across.place(value):.2f}%"


def _y(down: Axis, value: float) -> str:
    return f"{(1 - down.place(value)) * HEIGHT:.1f}"
