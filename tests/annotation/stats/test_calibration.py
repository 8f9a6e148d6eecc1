"""Calibration of a model's scores, beside scikit-learn."""

from collections import defaultdict
from math import ceil
from random import Random

import numpy as np
import pytest
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

from annotation.stats.calibration import Cell, calibration


def figures_of(scores, sides):
    pairs_by_cell = defaultdict(list)
    for score, side in zip(scores, sides, strict=True):
        pairs_by_cell[ceil(score * 100), int(side)].append(score)
    return calibration(
        Cell(*cell, len(group), sum(group), sum((score - cell[1]) ** 2 for score in group))
        for cell, group in pairs_by_cell.items()
    )


def scored(pairs, *, seed=3):
    """Scores that are too sure, and sides."""
    random = Random(seed)
    probabilities = [random.random() for _ in range(pairs)]
    sides = [int(random.random() < p) for p in probabilities]
    return [round(p**0.5, 2) for p in probabilities], sides


def test_measures_are_those_of_scikit_learn():
    scores, sides = scored(400)
    figures = figures_of(scores, sides)
    shares, means = calibration_curve(sides, scores, n_bins=10)
    assert figures.brier.value == pytest.approx(brier_score_loss(sides, scores))
    assert [part.share.value for part in figures.bins] == pytest.approx(shares)
    assert [part.score for part in figures.bins] == pytest.approx(means)
    weights = [part.pairs for part in figures.bins]
    assert figures.error.value == pytest.approx(np.average(abs(shares - means), weights=weights))
    assert figures.pairs == sum(weights) == 400


def test_intervals_are_those_of_resampled_pairs():
    scores, sides = map(np.array, scored(400))
    figures = figures_of(scores, sides)
    draws = np.random.default_rng(1).integers(400, size=(2000, 400))
    briers = ((scores - sides) ** 2)[draws].mean(axis=1)
    assert figures.brier.interval == pytest.approx(np.percentile(briers, (2.5, 97.5)), abs=0.004)
    low, high = figures.error.interval
    assert low < figures.error.value < high


def test_the_order_of_pairs_changes_nothing():
    scores, sides = scored(60)
    assert figures_of(scores[::-1], sides[::-1]).brier.interval == pytest.approx(
        figures_of(scores, sides).brier.interval
    )


def test_scores_of_0_and_1_are_in_the_outer_bins():
    figures = figures_of([0, 0, 0, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1, 1])
    bins = [(part.number, part.pairs, part.score, part.share.value) for part in figures.bins]
    assert bins == [(0, 3, 0, 0), (9, 5, 1, 1)]
    assert figures.error.value == figures.brier.value == 0
