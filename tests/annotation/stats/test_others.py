"""Everyone is measured by what the others say; and labels by crowd-kit, confusion its own."""

import sys
from collections import Counter, defaultdict
from random import Random

import numpy as np
import pandas as pd
import pytest
from crowdkit.aggregation import MACE, DawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from annotation.stats import aggregation, others
from annotation.stats.aggregation import Aggregated, Comparison, compare, dawid_skene, mace
from annotation.stats.agreement import cohen_kappa
from annotation.stats.intervals import wilson
from annotation.stats.others import Confusion

PEOPLE = ["ann", "ben", "cis", "dov", "eva"]
# For each pair who has answered it, and what: one label of each.
answered = st.lists(st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 2)), max_size=30)
ANSWERED = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), min_size=1), min_size=1, max_size=8
)


def judgments(pairs):
    return [(pair, who, label) for pair, each in enumerate(pairs) for who, label in each.items()]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(max_examples=5)  # each takes crowd-kit a tenth of a second
@given(ANSWERED)
def test_labels_are_those_of_crowd_kit(pairs):
    given_ = judgments(pairs)
    for found, model in (
        (dawid_skene(given_, rounds=4), DawidSkene(n_iter=4)),
        (mace(given_, seed=3, rounds=4), MACE(n_restarts=1, n_iter=4, random_state=3)),
    ):
        model.fit(pd.DataFrame(given_, columns=["task", "worker", "label"]))
        assert found.keys() == model.labels_.to_dict().keys()
        for pair, probabilities in model.probas_.to_dict(orient="index").items():
            label, probability = found[pair].label, found[pair].probability
            assert probability == pytest.approx(probabilities[label])
            assert probability == pytest.approx(max(probabilities.values()))
            (most, votes), *rest = Counter(pairs[pair].values()).most_common(2)
            tied = votes in {number for _, number in rest}
            assert found[pair].majority == (None if tied else most)
            # Where two labels are equally probable, crowd-kit's own choice is as good.
            others = [value for other, value in probabilities.items() if other != label]
            assert label == model.labels_[pair] or max(others) >= probability - 1e-9


def test_models_are_compared_with_majorities_which_they_follow_where_all_agree(monkeypatch):
    assert dawid_skene([]) == mace([], seed=1) == {}
    for pairs, label in (([{"a": 1}], 1), ([{"a": 0, "b": 0}] * 3, 0), ([{"a": 2, "b": 2}], 2)):
        for model, options in ((dawid_skene, {}), (mace, {"seed": 1})):
            found = model(judgments(pairs), rounds=4, **options).values()
            assert {(each.label, each.differs) for each in found} == {(label, False)}, pairs
    [tied] = dawid_skene([(1, "a", 0), (1, "b", 1)]).values()
    assert tied.majority is None
    assert compare([tied]) == Comparison(pairs=1, differing=0, ties=1, unsure=1)
    assert compare([]) == Comparison(0, 0, 0, 0)
    labels = [Aggregated(1, 0.99, 1), Aggregated(0, 0.95, 1), Aggregated(0, 0.949, None)]
    assert compare(labels) == Comparison(pairs=3, differing=1, ties=1, unsure=1)
    # Without crowd-kit the error says what to install.
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(aggregation.CrowdKitMissing, match=r"requirements-crowd\.txt"):
        dawid_skene([(1, "a", 0)])


@given(answered)
def test_figures_beside_the_majority_are_those_of_scikit_learn(pairs):
    given_ = judgments(pairs)
    counts, of_all = Counter(), defaultdict(list)
    for pair, who, label in given_:
        tally = tuple(map([*pairs[pair].values()].count, range(3)))
        counts[who, label, tally] += 1
        clear = tally.count(max(tally)) == 1
        of_all[who] += [(label, tally.index(max(tally)))] * clear
    found = others.with_majority(counts)
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
    low, high = cohen_kappa(counts, seed=1).interval
    assert (low, high) == pytest.approx(expected, abs=0.07)
    assert low < Confusion(counts).kappa.value < high
    many = cohen_kappa({labels: 25 * pairs for labels, pairs in counts.items()}, seed=1).interval
    assert many[1] - many[0] < (high - low) / 4
    assert cohen_kappa({(0, 0): 9}).interval is None
