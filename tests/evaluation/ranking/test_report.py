"""Figures of scorers that are known by hand, and against scipy and scikit-learn."""

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import precision_score

from evaluation.data import Pairs
from evaluation.ranking import report, scorers
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.report import figures, figures_of_scores
from evaluation.ranking.swaps import DEGREES, Candidate, Group

PIVOT = "the old cat soon saw a dog"
STEPS = ("the old dog soon saw a cat", "old the dog soon saw a cat", "old the dog saw soon a cat")
GROUPS = [
    Group(
        str(number),
        PIVOT,
        tuple(map(Candidate, (f"{PIVOT} {number}", *STEPS), DEGREES)),
    )
    for number in range(63)
]


def by_degree(value):
    """A scorer that knows the degree of each candidate."""
    return lambda pairs: np.tile([value(degree) for degree in DEGREES], len(pairs) // len(DEGREES))


@pytest.mark.parametrize(
    ("scorer", "first", "ranks"),
    [
        (by_degree(float), 100.0, 100.0),
        (by_degree(lambda degree: -degree), 0.0, -100.0),
        (scorers.scorer("jaccard"), 0.0, -77.4597),  # ranks 1, 3, 3, 3
        (scorers.scorer("cosine"), 0.0, -77.4597),
        (by_degree(lambda degree: 0.5), 0.0, 0.0),
        (by_degree(lambda degree: min(degree, 3)), 0.0, 94.8683),  # a tie for first
        (scorers.scorer("order"), 100.0, 100.0),
        (scorers.scorer("bigrams"), 100.0, 100.0),
    ],
)
def test_figures_that_are_known_by_hand(scorer, first, ranks):
    found = figures("known", scorer, GROUPS)
    assert (found.r_precision.value, found.spearman.value) == (first, pytest.approx(ranks))
    assert (found.r_precision.low, found.r_precision.high) == (first, first)


def test_groups_that_cannot_be_scored_count_0_and_are_told():
    scores = np.tile(np.array(DEGREES, dtype=float), (63, 1))
    scores[5, 0] = scores[6, 2] = np.nan
    scores[7] = 1.0
    found = figures_of_scores("fails", scores)
    assert (found.groups, found.unscored, found.undefined) == (63, 2, 1)
    assert found.r_precision.value == pytest.approx(100 * 60 / 63, abs=1e-4)
    assert found.spearman.value == pytest.approx(100 * 60 / 63, abs=1e-4)


def test_means_equal_those_of_scipy_and_scikit_learn():
    scores = np.random.default_rng(2).integers(0, 5, (100, 4)) / 4
    scores = scores[(scores != scores[:, :1]).any(axis=1)]
    ranks = [spearmanr(row, DEGREES).statistic for row in scores]
    true = [1, 0, 0, 0]
    # R = 1, so precision of the single best; a tie for the best is none.
    first = [precision_score(true, row == row.max()) == 1.0 for row in scores]
    found = figures_of_scores("random", scores)
    assert found.spearman.value == pytest.approx(100 * np.mean(ranks), abs=1e-3)
    assert found.r_precision.value == pytest.approx(100 * np.mean(first), abs=1e-3)


def test_the_interval_is_of_means_over_drawn_groups():
    scores = np.tile(np.array(DEGREES, dtype=float), (200, 1))
    scores[:80] = scores[:80, ::-1]
    found = figures_of_scores("known", scores).r_precision
    margin = 100 * 1.96 * np.sqrt(0.6 * 0.4 / 200)
    assert found.value == pytest.approx(60.0)
    assert (found.low, found.high) == pytest.approx((60 - margin, 60 + margin), abs=1.5)
    assert figures_of_scores("known", scores).r_precision == found


def test_fewer_than_ten_groups_have_no_interval():
    ten = np.tile(np.array(DEGREES, dtype=float), (10, 1))
    assert str(figures_of_scores("ten", ten).r_precision) == "100.00 (100.0 to 100.0)"
    assert str(figures_of_scores("nine", ten[:9]).r_precision) == "100.00"


def test_texts_without_words_get_no_score():
    empty = Pairs.from_rows([("1", "", "", 0), ("2", "a", "", 0)])
    assert np.isnan(scorers.scorer("jaccard")(empty)).tolist() == [True, False]
    for name in ("cosine", "vectors"):
        assert np.isnan(scorers.scorer(name)(empty)).all()


def test_right_answers_by_swaps_and_by_words():
    swaps = report.right_by_swaps(GROUPS, by_degree(lambda degree: 0.9 if degree > 2 else 0.1))
    assert swaps == (1.0, 0.0, 1.0, 1.0)
    rows = [AppendedRow("1", words, "a" * words, "b", int(words == 0)) for words in (0, 5, 10)]
    longest = report.right_by_words(rows, lambda pairs: np.array([len(a) < 6 for a in pairs.first]))
    assert longest == {0: 1.0, 5: 0.0, 10: 1.0}
