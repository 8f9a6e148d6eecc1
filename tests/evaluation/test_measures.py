"""The measures against scikit-learn and scipy, and cases by hand."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn import metrics

from evaluation import measures


@pytest.fixture(scope="module")
def sets():
    """500 sets of labels and scores, many with equal scores."""
    random = np.random.default_rng(1)
    sizes = random.integers(1, 60, 60)
    return [(random.integers(0, 2, size), random.integers(0, 12, size) / 11) for size in sizes]


def test_areas_and_shares_are_those_of_scikit_learn(sets):
    for labels, scores in sets:
        if labels.any():
            assert measures.average_precision(labels, scores) == pytest.approx(
                metrics.average_precision_score(labels, scores)
            )
            precision, recall, _ = metrics.precision_recall_curve(labels, scores)
            area = metrics.auc(recall, precision)
            assert measures.trapezoid(labels, scores) == pytest.approx(area)
        found, said = measures.confusion(labels, scores).scores, scores > 0.5
        assert found.accuracy == pytest.approx(metrics.accuracy_score(labels, said))
        if found.f1 is not None:
            assert found.f1 == pytest.approx(metrics.f1_score(labels, said))


def test_what_is_undefined_is_none():
    nothing = np.array([])
    assert measures.average_precision(nothing, nothing) is None
    assert measures.average_precision(np.array([0, 0]), np.array([0.2, 0.7])) is None
    assert measures.confusion(nothing, nothing).scores.accuracy is None


def test_a_constant_score_has_the_share_of_paraphrases_as_its_area():
    labels = np.array([1] * 442 + [0] * 558)
    assert measures.average_precision(labels, np.zeros(1000)) == pytest.approx(0.442)


def test_ranks_are_those_of_scipy(sets):
    degrees = np.array([4, 3, 2, 1])
    for _, scores in sets:
        if len(scores) >= 4 and len({*scores[:4]}) > 1:
            expected = spearmanr(scores[:4], degrees).statistic
            assert measures.spearman(scores[:4], degrees) == pytest.approx(expected)


def test_a_scorer_blind_to_order_has_the_figures_of_the_arithmetic():
    degrees, blind = np.array([4, 3, 2, 1]), np.array([0.8, 0.9, 0.9, 0.9])
    assert measures.r_precision(blind) == 0
    assert measures.spearman(blind, degrees) == pytest.approx(-0.7746, abs=1e-4)
    assert measures.spearman(np.ones(4), degrees) == measures.r_precision(np.ones(4)) == 0
    perfect = np.array([0.9, 0.7, 0.5, 0.1])
    assert (measures.r_precision(perfect), measures.spearman(perfect, degrees)) == (1, 1)
    assert measures.spearman(perfect[::-1], degrees) == -1
