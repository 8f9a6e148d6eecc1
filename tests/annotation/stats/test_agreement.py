"""Measures of agreement and their intervals: beside other libraries, and where little is known."""

import warnings
from collections import Counter
from dataclasses import replace
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa
from statsmodels.stats.proportion import proportion_confint

from annotation.stats import agreement
from annotation.stats.agreement import (
    cohen_kappa,
    fleiss_kappa,
    human,
    human_agreement,
    interval,
    krippendorff_alpha,
    ordinal,
)
from annotation.stats.intervals import wilson
from annotation.stats.labels import Label, Level, Rule, Scheme, scale

judged_by_four = st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=1)
ANSWERS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1)
COUNTED = st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
judged_by_some = st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=6), min_size=2)
# The worked example of Krippendorff (2011): four observers, twelve units, gaps left out.
OBSERVED = "111 2232 3333 3333 2222 1234 4444 1121 2222 555 11 3"
NONE = (None, None, None)
# Votes, and their human agreement, Fleiss' kappa, nominal and ordinal alpha.
DEGENERATE = {
    "no pair": ({}, *NONE, None), "nobody has judged": ({(0, 0): 4}, *NONE, None),
    "one annotator": ({(1, 0): 6, (0, 1): 3}, 1.0, *NONE), "all equal": ({(5, 0): 40}, 1.0, *NONE),
    "one pair, all equal": ({(0, 5): 1}, 1.0, *NONE),
    "one pair, not equal": ({(4, 1): 1}, 0.8, -0.25, 0.0, 0.0),
    "always tied": ({(2, 2): 5}, 0.5, -1 / 3, -4 / 15, -4 / 15),
    "no dissent": ({(5, 0): 8, (0, 5): 2}, 1.0, 1.0, 1.0, 1.0),
}  # fmt: skip


def table(pairs, scale=(0, 1, 2)):
    return Counter(tuple(map(labels.count, scale)) for labels in pairs)


def of_nltk(pairs, **distance):
    """nltk takes rater, pair and label."""
    given_ = [(rater, n, label) for n, each in enumerate(pairs) for rater, label in enumerate(each)]
    return AnnotationTask(given_, **distance).alpha()


def four(found):
    return found.human, found.fleiss, found.alpha, found.ordinal


@given(judged_by_four, ANSWERS, COUNTED)
def test_kappas_and_wilsons_interval_are_those_of_other_libraries(pairs, answers, counted):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        counts = [[labels.count(label) for label in range(3)] for labels in pairs]
        expected = statsmodels_fleiss_kappa(np.array(counts))
    found = fleiss_kappa(table(pairs)).value
    assert found is None if isnan(expected) else found == pytest.approx(expected)
    assert wilson(*counted) == pytest.approx(proportion_confint(*counted, method="wilson"))
    if len({label for answer in answers for label in answer}) > 1:
        expected = cohen_kappa_score(*zip(*answers, strict=True))
        assert cohen_kappa(Counter(answers)).value == pytest.approx(expected)


@given(judged_by_some)
def test_alpha_is_that_of_nltk(pairs):
    given_ = [label for labels in pairs for label in labels]
    assume(len(set(given_)) > 1)

    def apart(one, other):
        """Labels given between two, counted by hand: nltk has no ordinal distance."""
        low, high = sorted((one, other))
        within = sum(low <= label <= high for label in given_)
        return (within - (given_.count(low) + given_.count(high)) / 2) ** 2

    votes = table(pairs)
    assert krippendorff_alpha(votes).value == pytest.approx(of_nltk(pairs))
    by_hand = of_nltk(pairs, distance=apart)
    assert krippendorff_alpha(votes, distance=ordinal).value == pytest.approx(by_hand)


def test_measures_by_hand():
    votes = table(OBSERVED.split(), scale="12345")
    assert krippendorff_alpha(votes).value == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(votes, distance=ordinal).value == pytest.approx(0.815, abs=5e-4)
    alpha = krippendorff_alpha(votes, distance=interval([1, 2, 3, 4, 5]))
    assert alpha.value == pytest.approx(0.849, abs=5e-4)
    assert wilson(0, 0) is None
    assert max(wilson(pairs, pairs)[1] for pairs in range(1, 50)) == 1
    for part in (-1, 4):
        with pytest.raises(ValueError, match="no part"):
            wilson(part, 3)
    assert human_agreement({(5, 0): 2, (2, 3): 1}) == pytest.approx(13 / 15)
    assert cohen_kappa({}).value is cohen_kappa({(1, 1): 4}).value is None
    filtered = agreement.filtered({(5, 0): 20, (1, 4): 15, (3, 2): 9})
    assert (filtered.before.pairs, filtered.after.pairs) == (44, 35)
    assert filtered.after.human.value == pytest.approx(160 / 175)
    votes = {(4, 1): 3, (1, 4): 2}
    assert krippendorff_alpha(votes | {(1, 0): 50}) == krippendorff_alpha(votes)
    assert fleiss_kappa({(5, 0): 1, (3, 1): 1}).value is None
    for nothing in ({}, {(1, 0): 7}, {(5, 0): 9}, {(0, 5): 1}, {(3, 2): 0}):
        assert fleiss_kappa(nothing).value is krippendorff_alpha(nothing).value is None
    assert agreement.measure({(2, 0): 1, (0, 2): 1}).fleiss.value == pytest.approx(1)
    different = agreement.measure({(4, 0): 20, (0, 4): 5, (3, 2): 6, (4, 1): 9})
    assert (different.fleiss.value, different.fleiss.interval) == (None, None)
    assert different.alpha.interval[0] < different.alpha.value < different.alpha.interval[1]


def test_the_headline_is_the_alpha_of_the_level_of_the_labels():
    votes = {(3, 0, 0): 4, (1, 2, 0): 5, (0, 1, 2): 3, (1, 0, 2): 1}
    labels = tuple(Label(value, name) for value, name in enumerate("abc"))
    nominal, ordered, steps = (
        agreement.measure(votes, Scheme(labels, level, rule, border))
        for level, rule, border in (
            (Level.NOMINAL, Rule.MOST, None),
            (Level.ORDINAL, Rule.SIDE, 1),
            (Level.INTERVAL, Rule.MEAN, 1),
        )
    )
    assert nominal.headline == nominal.alpha == krippendorff_alpha(votes)
    assert ordered.headline == ordered.ordinal == krippendorff_alpha(votes, distance=ordinal)
    by_squares = krippendorff_alpha(votes, distance=interval([0, 1, 2]))
    assert steps.headline == steps.interval_alpha == by_squares
    assert (nominal.ordinal.value, ordered.interval_alpha.value) == (None, None)


def test_human_agreement_counts_sides_only_where_they_decide():
    votes, grades = {(0, 0, 2, 1): 1, (0, 2, 1, 0): 1}, scale(3, border=2)
    assert agreement.measure(votes, grades).human.value == pytest.approx(5 / 6)
    mean = replace(grades, level=Level.INTERVAL, rule=Rule.MEAN)
    assert agreement.measure(votes, mean).human.value == pytest.approx(4 / 6)


def test_degenerate_votes_have_a_defined_value_and_no_interval():
    for name, (votes, *expected) in DEGENERATE.items():
        found = agreement.measure(votes)
        assert found.pairs == sum(votes.values()), name
        for estimate, value in zip(four(found), expected, strict=True):
            assert estimate.value == (value if value is None else pytest.approx(value)), name
            assert estimate.interval is None, name
    for votes in ({(5, 0): 5, (3, 2): 4}, {(5, 0): 50}, {(5, 0): 25, (0, 5): 25}):
        assert krippendorff_alpha(votes).interval is None, votes
    assert krippendorff_alpha({(5, 0): 6, (3, 2): 4}).interval is not None


def test_every_measure_lies_within_its_interval_however_votes_are_ordered():
    some = {(5, 0): 20, (3, 2): 9, (0, 5): 11}
    graded = {(3, 0, 0): 30, (0, 2, 1): 12, (1, 1, 1): 9, (0, 0, 3): 20}
    for estimate in four(agreement.measure(graded, scale(2, border=1))):
        low, high = estimate.interval
        assert low < estimate.value < high
    # The order in which votes were counted changes no interval.
    both = {(1, 1): 20, (0, 1): 5, (0, 0): 30}
    for counts, measure in ((some, agreement.measure), (both, cohen_kappa)):
        assert measure(dict(reversed(counts.items()))) == measure(counts)
    spread, gathered = {(5, 0): 60, (4, 1): 40}, {(5, 0): 80, (3, 2): 20}
    assert human(spread).value == human(gathered).value
    widths = [high - low for low, high in (human(spread).interval, human(gathered).interval)]
    assert widths[0] < widths[1], "the interval is as wide as the pairs are unlike"


def test_intervals_hold_the_truth_about_as_often_as_they_say():
    shares = {(5, 0): 62, (4, 1): 10, (3, 2): 4, (2, 3): 3, (1, 4): 6, (0, 5): 15}
    drawn = np.random.default_rng(3).multinomial(200, np.array([*shares.values()]) / 100, size=150)
    samples = [dict(zip(shares, map(int, numbers), strict=True)) for numbers in drawn]
    for measure in (human, krippendorff_alpha, fleiss_kappa):
        truth = measure(shares).value
        intervals = [measure(sample).interval for sample in samples]
        held = np.mean([low <= truth <= high for low, high in intervals])
        assert 0.90 <= held <= 0.99, measure
