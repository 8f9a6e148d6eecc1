"""Labels by crowd-kit: what it says of the very answers that it was given, and nothing else."""

import sys
from random import Random

import pandas as pd
import pytest
from crowdkit.aggregation import MACE, DawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats import aggregation
from annotation.stats.aggregation import Aggregated, Comparison, compare, dawid_skene, mace

# For each pair who has answered it, and what.
answered = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), min_size=1), min_size=1, max_size=8
)


def judgments(pairs):
    return [(f"p{n}", who, label) for n, each in enumerate(pairs) for who, label in each.items()]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@settings(max_examples=5)  # each takes crowd-kit a tenth of a second
@given(answered)
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
            # Where two labels are equally probable, crowd-kit's own choice is as good.
            others = [value for other, value in probabilities.items() if other != label]
            assert label == model.labels_[pair] or max(others) >= probability - 1e-9


def test_people_who_know_outweigh_those_who_guess():
    """Three guess on all pairs and two are always right: here the majority is often wrong."""
    random, truths = Random(1), [n % 2 for n in range(120)]
    pairs = [
        {"a": truth, "b": truth, **{guesser: random.randrange(2) for guesser in "xyz"}}
        for truth in truths
    ]
    found = dawid_skene(judgments(pairs))
    assert [found[f"p{n}"].label for n in range(120)] == truths
    wrong = sum(each.majority != truth for each, truth in zip(found.values(), truths, strict=True))
    assert compare(found.values()).differing == wrong > 5


def test_models_are_compared_with_majorities_which_they_follow_where_all_agree():
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


def test_without_crowd_kit_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(aggregation.CrowdKitMissing, match=r"requirements-crowd\.txt"):
        dawid_skene([(1, "a", 0)])
