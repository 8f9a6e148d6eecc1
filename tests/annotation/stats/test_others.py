"""Everyone is measured by what the others say, never by a majority that holds their own answer."""

from collections import Counter, defaultdict
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from annotation.stats import others
from annotation.stats.agreement import cohen_kappa
from annotation.stats.intervals import wilson
from annotation.stats.others import Beside

PEOPLE = ["ann", "ben", "cis", "dov", "eva"]
# For each pair who has answered it, and what: one label of each.
answered = st.lists(st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 2)), max_size=30)


def judgments(pairs):
    return [(pair, who, label) for pair, each in enumerate(pairs) for who, label in each.items()]


def check(beside, labels):
    """Against scikit-learn's figures of the same own labels and labels beside them."""
    assert beside.pairs == len(labels)
    if labels:
        own, theirs = zip(*labels, strict=True)
        assert beside.accuracy == pytest.approx(accuracy_score(theirs, own))
    if len({label for both in labels for label in both}) > 1:
        assert beside.kappa == pytest.approx(cohen_kappa_score(own, theirs))
    else:
        assert beside.kappa is None


@given(answered, st.randoms())
def test_figures_beside_the_others_are_those_of_scikit_learn(pairs, random):
    given_ = judgments(pairs)
    found = others.of_judgments(given_)
    labels = defaultdict(list)
    for each in pairs:
        for person in each:
            counts = Counter(label for who, label in each.items() if who != person)
            most = [label for label in counts if counts[label] == max(counts.values())]
            labels[person] += [(each[person], most[0])] if len(most) == 1 else []
    assert found.keys() == labels.keys()
    for person, beside in found.items():
        check(beside, labels[person])
    assert others.of_judgments(random.sample(given_, len(given_))) == found


@given(answered)
def test_figures_beside_the_majority_are_those_of_scikit_learn(pairs):
    tallies = [tuple(map(list(each.values()).count, range(3))) for each in pairs]
    counts = Counter((who, label, tallies[pair]) for pair, who, label in judgments(pairs))
    labels = defaultdict(list)
    for pair, who, label in judgments(pairs):
        most = max(tallies[pair])
        if tallies[pair].count(most) == 1:
            labels[who].append((label, tallies[pair].index(most)))
    for person, beside in others.with_majority(counts).items():
        check(beside, labels[person])


def test_a_persons_own_answer_is_left_out():
    # To each of the two who say 1 the others are one to three, and to the rest a tie.
    found = others.of_judgments(judgments([dict(zip(PEOPLE, [1, 1, 0, 0, 0], strict=True))]))
    assert [dict(found[who].counts) for who in PEOPLE] == [{(1, 0): 1}] * 2 + [{}] * 3
    assert others.of_judgments([(1, "ann", 0), (2, "ann", 1)]) == {"ann": Beside({})}
    for label, tally in ((1, (5, 0)), (-1, (5, 1)), (2, (5, 1))):
        with pytest.raises(ValueError, match="not among those of its pair"):
            others.leaving_one_out({("ann", label, tally): 1})


def test_degenerate_answers_have_a_defined_value():
    for name, counts, *expected in (
        ("no pair", {}, 0, None, None),
        ("one pair", {(1, 1): 1}, 1, 1.0, None),
        ("one label", {(0, 0): 8}, 8, 1.0, None),
        ("never", {(0, 1): 8}, 8, 0.0, 0.0),
        ("always", {(0, 0): 4, (1, 1): 4}, 8, 1.0, 1.0),
        ("always wrong", {(0, 1): 4, (1, 0): 4}, 8, 0.0, -1.0),
        ("one label of two", {(0, 0): 4, (0, 1): 4}, 8, 0.5, 0.0),
    ):
        beside = Beside(counts)
        assert [beside.pairs, beside.accuracy, beside.kappa] == expected, name
        assert beside.accuracy_interval == wilson(beside.agreeing, beside.pairs), name


def test_the_interval_of_kappa_is_that_of_samples_drawn_one_by_one():
    counts = {(0, 0): 20, (1, 1): 14, (0, 1): 5, (1, 0): 3}
    answers = [labels for labels, pairs in counts.items() for _ in range(pairs)]
    drawn = Random(5)
    kappas = [cohen_kappa(drawn.choices(answers, k=42)) for _ in range(300)]
    expected = np.percentile(kappas, (2.5, 97.5))
    low, high = Beside(counts).kappa_interval(seed=1)
    assert (low, high) == pytest.approx(expected, abs=0.07)
    assert low < Beside(counts).kappa < high
    many = Beside({labels: 25 * pairs for labels, pairs in counts.items()}).kappa_interval(seed=1)
    assert many[1] - many[0] < (high - low) / 4
    assert Beside({(0, 0): 9}).kappa_interval(seed=1) is None
