"""Calibration of the embedded tagger's probabilities."""

import numpy as np
import pytest

from generation.nlp.adapters.name_spans import Calibration, logit
from generation.nlp.training import tagger


def test_calibration_finds_the_distortion_of_probabilities() -> None:
    random = np.random.default_rng(0)
    scores = random.normal(1.0, 2.0, size=20_000)
    wanted = Calibration(slope=0.7, intercept=-0.5)
    right = random.random(len(scores)) < wanted(1 / (1 + np.exp(-scores)))
    found = tagger.platt(scores, right)
    assert found.slope == pytest.approx(wanted.slope, abs=0.05)
    assert found.intercept == pytest.approx(wanted.intercept, abs=0.05)


def test_calibrated_probabilities_average_to_the_share_of_right_spans() -> None:
    raw = np.array([0.2, 0.4, 0.6, 0.7, 0.9, 0.95])
    right = np.array([False, True, False, True, True, False])
    calibrated = tagger.platt(logit(raw), right)(raw)
    assert calibrated.mean() == pytest.approx(0.5)
