"""The learning curve: the AUC-PR of each model by the number of training pairs.

On the page its text keeps its size on every screen and its colours follow the page; as an SVG file
it is readable on light and dark pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any, TypeAlias

from annotation.projects.charts import Axis, axis

MEASURE = "average_precision"
# Of the chart on the page: its height, and the styles in the style sheet, which repeat.
PAGE_HEIGHT = 220
STYLES = 6
# Of the file.
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
# Distinguishable without colour vision (Okabe and Ito), with a different mark each.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#000000")
DASHES = ("", "6 3", "2 3", "8 3 2 3")
Point: TypeAlias = Mapping[str, Any]
Points: TypeAlias = Mapping[str, Sequence[Point]]
Place: TypeAlias = tuple[str, str]

HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
 aria-labelledby="title" font-family="sans-serif" font-size="13">
<title id="title">AUC-PR on test by the number of training pairs</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"""


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
        return 0 if all(float(number).is_integer() for _, number in self.grid) else 1


def chart(figures: Mapping[str, Any]) -> Chart | None:
    points = _points(figures)
    if not any(points.values()):
        return None
    across, down = _axes(points)

    def x(pairs: float) -> str:
        return f"{100 * across.place(pairs):.2f}%"

    def y(percent: float) -> str:
        return f"{(1 - down.place(percent)) * PAGE_HEIGHT:.1f}"

    series = []
    for number, (model, model_points) in enumerate(points.items()):
        spans = [(x(point["pairs"]), point[MEASURE]) for point in model_points]
        dots = tuple((left, y(100 * span["mean"])) for left, span in spans)
        ranges = tuple((left, y(100 * span["low"]), y(100 * span["high"])) for left, span in spans)
        series.append(Series(model, number % STYLES, dots, tuple(pairwise(dots)), ranges))
    grid = tuple((y(number), number) for number in down.numbers)
    ticks = tuple((x(number), number) for number in across.numbers)
    return Chart(PAGE_HEIGHT, grid, ticks, tuple(series))


def svg(figures: Mapping[str, Any]) -> str:
    """Return the file, which has the range over seeds at each point."""
    points = _points(figures)
    across, down = _axes(points)
    lines = [HEAD, *_grid(across, down)]
    for number, (model, series) in enumerate(points.items()):
        lines += _series(number, model, series, across, down)
    return "\n".join([*lines, "</svg>"]) + "\n"


def _points(figures: Mapping[str, Any]) -> Points:
    return {
        model["model"]: [point for point in model["points"] if point[MEASURE]]
        for model in figures["models"]
    }


def _axes(points: Points) -> tuple[Axis, Axis]:
    all_points = [point for series in points.values() for point in series]
    if not all_points:
        return axis(0, 1), axis(0, 100)
    ends = [100 * point[MEASURE][end] for point in all_points for end in ("low", "high")]
    across = axis(0, max(point["pairs"] for point in all_points))
    return across, axis(min(ends), max(ends))


def _grid(across: Axis, down: Axis) -> Iterator[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    for number in down.numbers:
        y = _y(down, number)
        yield f'<path d="M{LEFT} {y}H{right}" stroke="#cccccc"/>'
        yield f'<text x="{LEFT - 8}" y="{y}" dy=".35em" text-anchor="end">{number:g}</text>'
    for number in across.numbers:
        x = _x(across, number)
        yield f'<path d="M{x} {bottom}v5" stroke="#666666"/>'
        yield f'<text x="{x}" y="{bottom + 20}" text-anchor="middle">{number:,.0f}</text>'
    middle = (LEFT + right) / 2
    yield f'<text x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">training pairs</text>'
    yield f'<text transform="translate(14 {TOP + 130}) rotate(-90)">AUC-PR (%)</text>'


def _series(
    number: int, model: str, points: Sequence[Point], across: Axis, down: Axis
) -> Iterator[str]:
    colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
    places = [
        (_x(across, point["pairs"]), _y(down, 100 * point[MEASURE]["mean"])) for point in points
    ]
    line = " ".join(f"{x},{y}" for x, y in places)
    yield f'<g stroke="{colour}" fill="none" stroke-width="2">'
    yield f'<polyline points="{line}" stroke-dasharray="{dash}"/>'
    for (x, y), point in zip(places, points, strict=True):
        low, high = (_y(down, 100 * point[MEASURE][end]) for end in ("low", "high"))
        yield f'<path d="M{x} {low}V{high}" stroke-width="1"/>'
        yield f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>'
    key = TOP + 10 + 22 * number
    start = WIDTH - RIGHT + 15
    yield f'<path d="M{start} {key}h28" stroke-dasharray="{dash}"/></g>'
    yield f'<text x="{start + 36}" y="{key}" dy=".35em">{escape(model)}</text>'


def _x(across: Axis, value: float) -> str:
    return f"{LEFT + across.place(value) * (WIDTH - LEFT - RIGHT):.1f}"


def _y(down: Axis, value: float) -> str:
    return f"{TOP + (1 - down.place(value)) * (HEIGHT - TOP - BOTTOM):.1f}"
