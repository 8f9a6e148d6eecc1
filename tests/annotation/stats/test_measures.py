"""All measures of a set of pairs: what they are where there is little or nothing to measure."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.metrics import agreement as nltk_agreement
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa

from annotation.stats import measures, uncertainty
from annotation.stats.agreement import as_arrays, nominal, ordinal

# Votes -> pairs, and the values of human agreement, Fleiss' kappa, nominal and ordinal alpha.
DEGENERATE = {
    "no pair": ({}, None, None, None, None),
    "nobody has judged": ({(0, 0): 4}, None, None, None, None),
    "one annotator": ({(1, 0): 6, (0, 1): 3}, 1.0, None, None, None),
    "all equal": ({(5, 0): 40}, 1.0, None, None, None),
    "one pair, all equal": ({(0, 5): 1}, 1.0, None, None, None),
    "one pair, not equal": ({(4, 1): 1}, 0.8, -0.25, 0.0, 0.0),
    "always tied": ({(2, 2): 5}, 0.5, -1 / 3, -4 / 15, -4 / 15),
    "no dissent": ({(5, 0): 8, (0, 5): 2}, 1.0, 1.0, 1.0, 1.0),
}
answered_by_four = st.lists(
    st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1, max_size=12
)


@pytest.mark.parametrize(
    ("votes", "human", "fleiss", "alpha", "of_grades"), DEGENERATE.values(), ids=DEGENERATE
)
def test_degenerate_votes_have_a_defined_value(votes, human, fleiss, alpha, of_grades):
    found = measures.of(votes)
    values = [each.value for each in (found.human, found.fleiss, found.alpha, found.ordinal)]
    assert found.pairs == sum(votes.values())
    for value, expected in zip(values, (human, fleiss, alpha, of_grades), strict=True):
        assert value is None if expected is None else value == pytest.approx(expected)


@pytest.mark.parametrize("votes", [row[0] for row in DEGENERATE.values()], ids=DEGENERATE)
def test_degenerate_votes_have_no_interval(votes):
    found = measures.of(votes)
    for each in (found.human, found.fleiss, found.alpha, found.ordinal):
        assert each.interval is None


@settings(max_examples=30, deadline=None)
@given(answered_by_four)
def test_what_is_undefined_here_is_what_other_libraries_cannot_tell_either(pairs):
    """They answer with NaN, or divide by zero."""
    counts = np.array([[labels.count(label) for label in range(3)] for labels in pairs])
    found = measures.of({tuple(map(int, row)): 1 for row in counts})
    unique = np.unique(counts, axis=0)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        expected = statsmodels_fleiss_kappa(unique)
    assert (found.fleiss.value is None) == math.isnan(expected)
    assert (found.alpha.value is None) == _nltk_cannot_tell(unique)


def _nltk_cannot_tell(counts):
    triples = [
        (rater, pair, label)
        for pair, row in enumerate(counts)
        for rater, label in enumerate(np.repeat(range(3), row))
    ]
    task = nltk_agreement.AnnotationTask([(r, p, int(label)) for r, p, label in triples])
    try:
        return len(task.K) == 1 or math.isnan(task.alpha())
    except ZeroDivisionError:
        return True


def test_pairs_with_different_numbers_of_judgments_have_alpha_but_no_kappa():
    found = measures.of({(4, 0): 20, (0, 4): 5, (3, 2): 6, (4, 1): 9})
    assert (found.fleiss.value, found.fleiss.interval) == (None, None)
    assert found.alpha.interval[0] < found.alpha.value < found.alpha.interval[1]


def test_the_filter_leaves_out_what_too_few_agree_on():
    found = measures.filtered({(5, 0): 20, (1, 4): 15, (3, 2): 9})
    assert (found.before.pairs, found.after.pairs) == (44, 35)
    assert found.after.human.value == pytest.approx((20 * 5 + 15 * 4) / (35 * 5))
    assert found.before.human.value < found.after.human.value
    assert found.before.alpha.value < found.after.alpha.value


def test_every_measure_lies_within_its_interval():
    found = measures.of({(3, 0, 0): 30, (0, 2, 1): 12, (1, 1, 1): 9, (0, 0, 3): 20})
    for each in (found.human, found.fleiss, found.alpha, found.ordinal):
        low, high = each.interval
        assert low < each.value < high


def test_the_same_seed_gives_the_same_intervals():
    votes = {(5, 0): 20, (3, 2): 9, (0, 5): 11}
    assert measures.of(votes, seed=7) == measures.of(votes, seed=7)
    assert measures.of(votes, seed=7) != measures.of(votes, seed=8)


@pytest.mark.parametrize("distance", [nominal, ordinal])
def test_a_sample_is_measured_as_its_votes_would_be(distance, monkeypatch):
    """Each of the samples, one by one, by the functions for a table of votes."""
    votes = {(3, 0, 0): 8, (0, 2, 1): 6, (1, 0, 2): 5, (0, 0, 3): 7}
    taken = []

    def keep(kinds, pairs, of_samples, *, seed):
        drawn = np.random.default_rng(seed).multinomial(26, pairs / 26, size=20).astype(float)
        taken.append((kinds, drawn, of_samples(kinds, drawn)))

    monkeypatch.setattr(uncertainty, "bootstrap", keep)
    uncertainty.human_interval(votes, seed=1)
    uncertainty.fleiss_interval(votes, seed=1)
    uncertainty.alpha_interval(votes, seed=1, distance=distance)
    of_table = [
        lambda table: measures.human_agreement(table),
        lambda table: measures.fleiss_kappa(table),
        lambda table: measures.krippendorff_alpha(table, distance=distance),
    ]
    for (kinds, drawn, values), measure in zip(taken, of_table, strict=True):
        for sample, value in zip(drawn, values, strict=True):
            tallies = (tuple(map(int, kind)) for kind in kinds)
            assert value == pytest.approx(measure(dict(zip(tallies, sample, strict=True))))


def test_intervals_of_kappa_hold_the_truth_about_as_often_as_they_say():
    shares = {(5, 0): 0.62, (4, 1): 0.14, (2, 3): 0.03, (1, 4): 0.06, (0, 5): 0.15}
    truth = measures.fleiss_kappa({votes: round(1000 * share) for votes, share in shares.items()})
    generator, held = np.random.default_rng(3), []
    for _ in range(150):
        numbers = generator.multinomial(200, list(shares.values()))
        votes = dict(zip(shares, map(int, numbers), strict=True))
        low, high = uncertainty.fleiss_interval(votes, seed=1)
        held.append(low <= truth <= high)
    assert 0.89 <= np.mean(held) <= 0.99


def test_tallies_with_too_few_judgments_are_left_out_of_arrays():
    tallies, pairs = as_arrays({(1, 0): 4, (1, 1): 2}, fewest=2)
    assert (tallies.tolist(), pairs.tolist()) == ([[1, 1]], [2])
