"""Recalibration of an estimate, beside statsmodels, and what fifty answers can do to it."""

from random import Random

import numpy as np
import pytest
import statsmodels.api as sm

from generation.nlp.recalibration import PENALTIES, Answers, Recalibration

ESTIMATES = [0.62, 0.66, 0.71, 0.78, 0.83, 0.9, 0.96]
AS_IT_IS = Recalibration()


def answers(shares, number=60):
    return [
        Answers(estimate, round(share * number), number)
        for estimate, share in zip(ESTIMATES, shares, strict=True)
    ]


def by_statsmodels(rows):
    """The same by a generalised linear model: distances from slope 1 and shift 0 are penalised."""
    estimates, accepted, number = np.array(rows).T
    logits = np.log(estimates / (1 - estimates))
    model = sm.GLM(
        np.column_stack([accepted, number - accepted]),
        np.column_stack([logits, np.ones(len(rows))]),
        family=sm.families.Binomial(),
        offset=logits,
    )
    # It penalises the mean loss of a row.
    fitted = model.fit_regularized(alpha=np.array(PENALTIES) / len(rows), L1_wt=0.0)
    return 1 + fitted.params[0], fitted.params[1]


@pytest.mark.parametrize(
    "shares",
    [
        [0.35, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8],
        [0.6, 0.6, 0.62, 0.6, 0.65, 0.66, 0.7],
        [0.2, 0.5, 0.7, 0.9, 0.95, 1.0, 1.0],
    ],
)
def test_slope_and_shift_are_those_of_statsmodels(shares):
    fitted = Recalibration.fit(answers(shares))
    assert (fitted.slope, fitted.shift) == pytest.approx(by_statsmodels(answers(shares)), abs=2e-3)


def test_the_order_of_answers_changes_nothing():
    rows = answers([0.35, 0.4, 0.5, 0.5, 0.6, 0.7, 0.8])
    shuffled = Random(1).sample(rows, len(rows))
    assert Recalibration.fit(shuffled) == Recalibration.fit(rows)


@pytest.mark.parametrize(("number", "is_fitted"), [(49, False), (50, True)])
def test_fifty_answers_are_needed(number, is_fitted):
    assert (Recalibration.fit([Answers(0.7, 20, number)]) is not None) is is_fitted


@pytest.mark.parametrize("accepted", [0, 50])
def test_fifty_like_answers_move_an_estimate_but_not_to_an_end(accepted):
    corrected = Recalibration.fit([Answers(0.8, accepted, 50)]).corrected(0.8)
    assert 0.05 < corrected < 0.98
    assert (corrected > 0.8) is (accepted == 50)


def test_a_higher_estimate_never_counts_as_lower():
    backwards = Recalibration.fit(answers([0.9, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1], number=10_000))
    assert backwards.corrected(0.9) > backwards.corrected(0.7)


def test_slope_1_and_shift_0_leave_every_bit_of_an_estimate():
    estimates = [number / 977 for number in range(1, 977)]
    assert [AS_IT_IS.corrected(estimate) for estimate in estimates] == estimates


def test_a_corrected_estimate_can_be_taken_back():
    correction = Recalibration(0.4, -1.2)
    assert correction.undo(correction.corrected(0.83)) == pytest.approx(0.83)
