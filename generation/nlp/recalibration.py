"""Recalibration of an estimate by answers: its logit times a slope, plus a shift (Platt 1999)."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

# With fewer answers, the estimate stays as it is.
FEWEST = 50
# What the squared distances of slope and shift from 1 and 0 cost: as much as a normal prior with
# a standard deviation of 0.5 and 1. This steadies what fifty answers say and hardly limits 400.
PENALTIES = (4.0, 1.0)
# Higher estimates never count as lower, and `undo` can divide by the slope.
SLOPES, SHIFTS = (0.1, 10.0), (-10.0, 10.0)
# The settings of word swap that correct its estimate.
CORRECTING = frozenset({"estimate_slope", "estimate_shift"})
DIGITS = 3
STEPS, LONGEST_STEP, CLOSE = 100, 1.0, 1e-9

Array = NDArray[np.float64]


class Answers(NamedTuple):
    """Answers about candidates of the same estimate: how many accept them, of how many."""

    estimate: float
    accepted: int
    answers: int


@dataclass(frozen=True, slots=True)
class Recalibration:
    """What corrects an estimate; slope 1 and shift 0 leave it exactly as it is."""

    slope: float = 1.0
    shift: float = 0.0

    @classmethod
    def fit(cls, rows: Iterable[Answers]) -> Self | None:
        """Return the likeliest recalibration, to three decimals; None below FEWEST answers.

        The same answers, in any order, give the same numbers.
        """
        in_order = sorted(rows)
        estimates, accepted, answers = np.array(in_order, dtype=float).reshape(-1, 3).T
        if answers.sum() < FEWEST:
            return None
        logits = np.log(estimates / (1.0 - estimates))
        slope, shift = _fit(logits, accepted, answers)
        if not SLOPES[0] <= slope <= SLOPES[1]:
            slope = min(max(slope, SLOPES[0]), SLOPES[1])
            _, shift = _fit(logits, accepted, answers, slope=slope)
        return cls(round(slope, DIGITS), round(min(max(shift, SHIFTS[0]), SHIFTS[1]), DIGITS))

    def corrected(self, estimate: float) -> float:
        """Return the corrected estimate of one between 0 and 1, both excluded."""
        if self == type(self)():
            return estimate
        return 1.0 / (1.0 + math.exp(-self.slope * _logit(estimate) - self.shift))

    def undo(self, estimate: float) -> float:
        """Return the estimate that `corrected` made this one from."""
        if self == type(self)():
            return estimate
        return 1.0 / (1.0 + math.exp((self.shift - _logit(estimate)) / self.slope))


def _logit(probability: float) -> float:
    return math.log(probability / (1.0 - probability))


def _fit(
    logits: Array, accepted: Array, answers: Array, slope: float | None = None
) -> tuple[float, float]:
    """Return slope and shift with the highest penalised likelihood, by Newton's method.

    A slope that is given stays.
    """
    inputs = np.column_stack([logits, np.ones(len(logits))])
    start = np.array([1.0 if slope is None else slope, 0.0])
    free = np.array([slope is None, True])
    weights, penalties = start.copy(), np.array(PENALTIES)
    for _ in range(STEPS):
        guesses = 1.0 / (1.0 + np.exp(-(inputs @ weights)))
        gradient = inputs.T @ (accepted - answers * guesses) - penalties * (weights - start)
        curvature = (inputs.T * (answers * guesses * (1.0 - guesses))) @ inputs
        hessian = curvature + np.diag(penalties)
        step = np.zeros(2)
        step[free] = np.linalg.solve(hessian[np.ix_(free, free)], gradient[free])
        longest = float(np.abs(step).max())
        if longest < CLOSE:
            break
        weights += step * min(1.0, LONGEST_STEP / longest)
    return float(weights[0]), float(weights[1])
