"""What a learning curve says about more annotation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MEASURE = "average_precision"


@dataclass(frozen=True, slots=True)
class Gain:
    """What the last pairs brought the best model: its AUC-PR with `fewer` and with all pairs.

    `low` and `high` are the smallest and largest difference that the ranges over seeds allow.
    """

    model: str
    fewer: int
    pairs: int
    before: float
    after: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Return "rising", "level", or "unclear" where the seeds differ too much to tell."""
        if self.low > 0:
            return "rising"
        return "unclear" if self.high > 0 else "level"


def gain(figures: Mapping[str, Any]) -> Gain | None:
    """Return the gain of the best model from the last but one share of train to all of it.

    None if no model has two points.
    """
    found = [last for each in figures["models"] if (last := _last_step(each)) is not None]
    return max(found, key=lambda each: each.after, default=None)


def _last_step(model: Mapping[str, Any]) -> Gain | None:
    points: Sequence[Mapping[str, Any]] = [each for each in model["points"] if each[MEASURE]]
    if len(points) < 2:
        return None
    before, after = points[-2][MEASURE], points[-1][MEASURE]
    return Gain(
        model=model["model"],
        fewer=points[-2]["pairs"],
        pairs=points[-1]["pairs"],
        before=before["mean"],
        after=after["mean"],
        low=after["low"] - before["high"],
        high=after["high"] - before["low"],
    )
