"""The table in which every benchmark ends."""

from collections.abc import Sequence
from dataclasses import dataclass

HEADINGS = ("figure", "value", "reference", "ratio", "goal", "met")


@dataclass(frozen=True, slots=True)
class Goal:
    """A bound for a figure, or for its ratio to the reference."""

    bound: float
    at_least: bool
    of_ratio: bool = False

    def is_met_by(self, measured: float) -> bool:
        return measured >= self.bound if self.at_least else measured <= self.bound

    def __str__(self) -> str:
        sign = ">=" if self.at_least else "<="
        return f"{sign} {_number(self.bound)}{' x' if self.of_ratio else ''}"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured value.

    `reference` is the same quantity of something comparable, measured in the same run, so that the
    ratio holds on any machine, however busy.
    """

    name: str
    value: float
    unit: str = ""
    reference: float | None = None
    goal: Goal | None = None

    @property
    def ratio(self) -> float | None:
        return self.value / self.reference if self.reference else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None without a goal. A ratio of nothing reaches none."""
        if self.goal is None:
            return None
        measured = self.ratio if self.goal.of_ratio else self.value
        return measured is not None and self.goal.is_met_by(measured)

    def cells(self) -> tuple[str, ...]:
        return (
            self.name,
            f"{_number(self.value)} {self.unit}".strip(),
            _number(self.reference),
            _number(self.ratio),
            str(self.goal or ""),
            {None: "", True: "yes", False: "no"}[self.met],
        )


def at_least(bound: float, *, of_ratio: bool = False) -> Goal:
    return Goal(bound, at_least=True, of_ratio=of_ratio)


def at_most(bound: float, *, of_ratio: bool = False) -> Goal:
    return Goal(bound, at_least=False, of_ratio=of_ratio)


def render(figures: Sequence[Figure]) -> str:
    """The figures in columns, and `N of M goals met` as the last line."""
    rows = [HEADINGS, *(figure.cells() for figure in figures)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [_line(row, widths) for row in rows]
    goals = [figure.met for figure in figures if figure.met is not None]
    return "\n".join([*lines, f"{sum(goals)} of {len(goals)} goals met"])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
