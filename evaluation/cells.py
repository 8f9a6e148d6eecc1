"""Cells and tables in per cent with one decimal, as in the papers."""

from collections.abc import Mapping, Sequence
from typing import Any

from common.tables import Row, as_markdown

NONE = "–"
HEADER = ("Accuracy", "AUC-PR", "F1", "Precision", "Recall")
Json = Mapping[str, Any]


def table(rows: Sequence[Row]) -> str:
    """Format a table; names of releases and files may have bars."""
    return as_markdown([tuple(cell.replace("|", "\\|") for cell in row) for row in rows])


def percent(value: float | None) -> str:
    return NONE if value is None else f"{100 * value:.1f}"


def summary(figures: Json) -> str:
    accuracy, area = (percent(figures[name]) for name in ("accuracy", "average_precision"))
    return f"accuracy {accuracy}, AUC-PR {area}"


def mean(span: Json | None) -> str:
    return percent(span["mean"] if span else None)


def spread(span: Json | None) -> str:
    """Return a mean with half of its range, such as "75.0 ± 0.4"; without it if that is 0."""
    half = (span["high"] - span["low"]) / 2 if span else 0.0
    return f"{mean(span)} ± {percent(half)}" if half else mean(span)


def gain(with_it: Json | None, without: Json | None) -> str:
    """Return a mean with its gain in brackets: the difference of the two figures as printed."""
    if not (with_it and without):
        return mean(with_it)
    difference = round(100 * with_it["mean"], 1) - round(100 * without["mean"], 1)
    return f"{mean(with_it)} ({difference:+.1f})"
