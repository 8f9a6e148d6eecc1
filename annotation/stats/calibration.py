"""How well a model's scores match people's labels: Brier score, calibration error, reliability.

A score is the model's probability of the upper side, and the outcome the side that most people
chose. The Brier score (1950) is the mean squared difference of both. The expected calibration
error (Naeini, Cooper and Hauskrecht 2015) divides scores into ten equal bins, and is the mean
difference between a bin's mean score and its share of the upper side, weighted by pairs.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from annotation.stats.agreement import Estimate
from annotation.stats.intervals import Array, bootstrap, wilson

BINS, PERCENT = 10, 100


class Cell(NamedTuple):
    """Pairs with one side whose score, in percent and rounded up, is `percent`.

    They are resampled together, so that an interval costs the same for any number of pairs.
    `scores` is the sum of their scores, `squares` that of squared differences from the side.
    """

    percent: int
    side: int
    pairs: int
    scores: float
    squares: float


@dataclass(frozen=True, slots=True)
class Bin:
    """Pairs with scores above `number` tenths, up to the next (the lowest has 0 too).

    `score` is their mean score, `share` that of the upper side.
    """

    number: int
    pairs: int
    score: float
    share: Estimate


@dataclass(frozen=True, slots=True)
class Calibration:
    """Both measures, smaller is better, and the bins that have pairs, in ascending order."""

    pairs: int
    brier: Estimate
    error: Estimate
    bins: list[Bin]


def calibration(cells: Iterable[Cell]) -> Calibration | None:
    """Measure the pairs of all cells; None without any.

    >>> calibration([Cell(75, 1, 3, 2.25, 0.1875), Cell(75, 0, 1, 0.75, 0.5625)]).error.value
    0.0
    """
    if not (in_order := sorted(cells)):
        return None
    kinds, pairs = _kinds(in_order)
    brier, error = (
        Estimate(float(measure(kinds, pairs[None, :])[0]), bootstrap(kinds, pairs, measure))
        for measure in (_brier, _error)
    )
    numbers, scores, sides = (sums[0] for sums in _sums_by_bin(kinds, pairs[None, :]))
    bins = [
        Bin(
            number,
            int(count),
            float(score / count),
            Estimate(float(side / count), wilson(int(side), int(count))),
        )
        for number, (count, score, side) in enumerate(zip(numbers, scores, sides, strict=True))
        if count
    ]
    return Calibration(int(pairs.sum()), brier, error, bins)


def _kinds(cells: Sequence[Cell]) -> tuple[Array, Array]:
    """Return a row for each cell, and its number of pairs.

    The columns are the cell's bin, the side, the mean score and the mean squared difference.
    """
    width = PERCENT // BINS
    kinds = [
        (
            max(0, cell.percent - 1) // width,
            cell.side,
            cell.scores / cell.pairs,
            cell.squares / cell.pairs,
        )
        for cell in cells
    ]
    return np.array(kinds, dtype=float), np.array([cell.pairs for cell in cells], dtype=float)


def _brier(kinds: Array, samples: Array) -> Array:
    scores: Array = samples @ kinds[:, 3] / samples.sum(axis=1)
    return scores


def _error(kinds: Array, samples: Array) -> Array:
    _, scores, sides = _sums_by_bin(kinds, samples)
    errors: Array = np.abs(scores - sides).sum(axis=1) / samples.sum(axis=1)
    return errors


def _sums_by_bin(kinds: Array, samples: Array) -> tuple[Array, Array, Array]:
    """Return the pairs, the scores and the upper sides of each bin, shape (samples, bins)."""
    is_in_bin = (kinds[:, :1] == np.arange(BINS)).astype(float)
    sides, scores = (is_in_bin * kinds[:, place, None] for place in (1, 2))
    return samples @ is_in_bin, samples @ scores, samples @ sides
