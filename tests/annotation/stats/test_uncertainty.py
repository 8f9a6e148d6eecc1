"""Intervals of agreement: as wide as the number of pairs warrants, and no narrower."""

import numpy as np
import pytest
from statsmodels.stats.proportion import proportion_confint

from annotation.stats.agreement import VoteTable, human_agreement, krippendorff_alpha
from annotation.stats.uncertainty import (
    agreement_interval,
    alpha_interval,
    human_interval,
    kappa_interval,
)

TALLIES = ((5, 0), (4, 1), (3, 2), (2, 3), (1, 4), (0, 5))
SHARES = (0.62, 0.10, 0.04, 0.03, 0.06, 0.15)


def drawn(generator: np.random.Generator, pairs: int) -> VoteTable:
    """So many pairs of a study whose true shares are SHARES."""
    numbers = (int(number) for number in generator.multinomial(pairs, SHARES))
    return dict(zip(TALLIES, numbers, strict=True))


def test_pairs_without_dissent_are_as_sure_as_their_labels():
    expected = proportion_confint(15, 15, method="wilson")
    assert agreement_interval({(5, 0): 3}) == pytest.approx(expected)


def test_dissent_gathered_in_few_pairs_makes_the_interval_wider():
    spread, gathered = {(5, 0): 60, (4, 1): 40}, {(5, 0): 80, (3, 2): 20}
    assert human_agreement(spread) == human_agreement(gathered)
    widths = [high - low for low, high in map(agreement_interval, (spread, gathered))]
    assert widths[0] < widths[1]


def test_the_share_lies_within_its_interval():
    low, high = agreement_interval({(5, 0): 9, (3, 2): 9})
    assert low < 0.8 < high


@pytest.mark.parametrize("votes", [{}, {(1, 0): 4}])
def test_without_a_pair_judged_twice_there_is_no_interval(votes):
    assert agreement_interval(votes) is None
    assert alpha_interval(votes, seed=1) is None


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    generator = np.random.default_rng(3)
    truth = dict(zip(TALLIES, (1000 * np.array(SHARES)).round().astype(int), strict=True))
    share, alpha = human_agreement(truth), krippendorff_alpha(truth)
    samples = [drawn(generator, 200) for _ in range(200)]
    of_share = [agreement_interval(votes) for votes in samples]
    of_alpha = [alpha_interval(votes, seed=1) for votes in samples]
    assert 0.91 <= np.mean([low <= share <= high for low, high in of_share]) <= 0.99
    assert 0.90 <= np.mean([low <= alpha <= high for low, high in of_alpha]) <= 0.99


def test_the_same_seed_gives_the_same_interval_of_alpha():
    votes = {(5, 0): 20, (3, 2): 9, (0, 5): 11}
    assert alpha_interval(votes, seed=7) == alpha_interval(votes, seed=7)
    assert alpha_interval(votes, seed=7) != alpha_interval(votes, seed=8)


def test_alpha_of_the_pairs_themselves_lies_within_its_interval():
    votes = {(5, 0): 20, (3, 2): 9, (0, 5): 11}
    low, high = alpha_interval(votes, seed=7)
    assert low < krippendorff_alpha(votes) < high


@pytest.mark.parametrize(
    "votes",
    [{(5, 0): 5, (3, 2): 4}, {(5, 0): 50}, {(5, 0): 25, (0, 5): 25}],
    ids=["few pairs", "one label", "no dissent"],
)
def test_what_resampling_cannot_tell_is_left_open(votes):
    assert alpha_interval(votes, seed=7) is None


def test_grades_have_an_interval_of_alpha_too():
    votes = {(3, 0, 0, 0): 30, (0, 2, 1, 0): 12, (0, 0, 1, 2): 9, (0, 0, 0, 3): 20}
    low, high = alpha_interval(votes, seed=7)
    assert low < krippendorff_alpha(votes) < high


def test_the_order_in_which_votes_were_counted_changes_no_interval():
    votes = {(5, 0): 20, (3, 2): 9, (0, 5): 11}
    backwards = dict(reversed(votes.items()))
    assert alpha_interval(backwards, seed=7) == alpha_interval(votes, seed=7)
    assert human_interval(backwards, seed=7) == human_interval(votes, seed=7)


def test_the_order_in_which_two_labels_were_counted_changes_no_interval():
    counts = {(1, 1): 20, (0, 1): 5, (0, 0): 30}
    backwards = dict(reversed(counts.items()))
    assert kappa_interval(backwards, seed=7) == kappa_interval(counts, seed=7)
