"""Everyone is measured by what the others say."""

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from annotation.stats.agreement import Confusion, cohen_kappa, with_majority
from annotation.stats.intervals import wilson

PEOPLE = ["ann", "ben", "cis", "dov", "eva"]
# For each pair who has answered it, and what: one label of each.
answered = st.lists(st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 2)), max_size=30)


def judgments(pairs):
    return [(pair, who, label) for pair, each in enumerate(pairs) for who, label in each.items()]


@given(answered)
def test_figures_beside_the_majority_are_those_of_scikit_learn(pairs):
    given_ = judgments(pairs)
    counts, of_all = Counter(), defaultdict(list)
    for pair, who, label in given_:
        tally = tuple(map([*pairs[pair].values()].count, range(3)))
        counts[who, label, tally] += 1
        clear = tally.count(max(tally)) == 1
        of_all[who] += [(label, tally.index(max(tally)))] * clear
    found = with_majority(counts)
    assert found.keys() == of_all.keys()
    for person, confusion in found.items():
        own, theirs = zip(*of_all[person], strict=True) if of_all[person] else ((), ())
        assert confusion.pairs == len(own)
        assert not own or confusion.accuracy.value == pytest.approx(accuracy_score(theirs, own))
        known = len({*own, *theirs}) > 1
        kappa = pytest.approx(cohen_kappa_score(own, theirs)) if known else None
        assert confusion.kappa.value == kappa


def test_few_answers_have_a_defined_value():
    for name, counts, *expected in (
        ("no pair", {}, 0, None, None),
        ("one pair", {(1, 1): 1}, 1, 1.0, None),
        ("one label", {(0, 0): 8}, 8, 1.0, None),
        ("never", {(0, 1): 8}, 8, 0.0, 0.0),
        ("always", {(0, 0): 4, (1, 1): 4}, 8, 1.0, 1.0),
        ("always wrong", {(0, 1): 4, (1, 0): 4}, 8, 0.0, -1.0),
        ("one label of two", {(0, 0): 4, (0, 1): 4}, 8, 0.5, 0.0),
    ):
        confusion = Confusion(counts)
        assert [confusion.pairs, confusion.accuracy.value, confusion.kappa.value] == expected, name
        assert confusion.accuracy.interval == wilson(confusion.agreeing, confusion.pairs), name


def test_the_interval_of_kappa_is_that_of_samples_drawn_one_by_one():
    counts = {(0, 0): 20, (1, 1): 14, (0, 1): 5, (1, 0): 3}
    answers = [labels for labels, pairs in counts.items() for _ in range(pairs)]
    drawn = Random(5)
    kappas = [cohen_kappa(Counter(drawn.choices(answers, k=42))).value for _ in range(300)]
    expected = np.percentile(kappas, (2.5, 97.5))
    low, high = cohen_kappa(counts).interval
    assert (low, high) == pytest.approx(expected, abs=0.07)
    assert low < Confusion(counts).kappa.value < high
    many = cohen_kappa({labels: 25 * pairs for labels, pairs in counts.items()}).interval
    assert many[1] - many[0] < (high - low) / 4
    assert cohen_kappa({(0, 0): 9}).interval is None
