"""The learning curve as an SVG file of its own, readable on light and dark pages."""

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from annotation.projects.charts import Axis, axis

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 190, 20, 50
MEASURE = "average_precision"
# Distinguishable without colour vision (Okabe and Ito), with a different mark each.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#000000")
DASHES = ("", "6 3", "2 3", "8 3 2 3")
Point = Mapping[str, Any]

HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"
 aria-labelledby="title" font-family="sans-serif" font-size="13">
<title id="title">AUC-PR on test by the number of training pairs</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>"""


def curve(figures: Mapping[str, Any]) -> str:
    """Draw the AUC-PR of each model at each size of train, with the range over seeds."""
    series = {
        each["model"]: [point for point in each["points"] if point[MEASURE]]
        for each in figures["models"]
    }
    points = [point for some in series.values() for point in some]
    ends = [100 * point[MEASURE][end] for point in points for end in ("low", "high")] or [0, 100]
    down = axis(min(ends), max(ends))
    across = axis(0, max([point["pairs"] for point in points] or [1]))
    lines = [HEAD, *_grid(across, down)]
    for number, (model, some) in enumerate(series.items()):
        lines += _series(number, model, some, across, down)
    return "\n".join([*lines, "</svg>"]) + "\n"


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
