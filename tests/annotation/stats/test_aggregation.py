"""Labels by crowd-kit: what it says of the very answers that it was given, and nothing else."""

import sys
import warnings
from random import Random

import pandas as pd
import pytest
from crowdkit.aggregation import MACE, DawidSkene
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats import aggregation
from annotation.stats.aggregation import Aggregated, Comparison, CrowdKitMissing

# For each pair who has answered it, and what.
answered = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), min_size=1), min_size=1, max_size=8
)
ROUNDS = 4


def judgments(pairs):
    return [(f"p{n}", who, label) for n, each in enumerate(pairs) for who, label in each.items()]


def directly(model, given_):
    """Labels and probabilities of crowd-kit, from a table made here."""
    table = pd.DataFrame(given_, columns=["task", "worker", "label"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        model.fit(table)
    return model.labels_.to_dict(), model.probas_.to_dict(orient="index")


def check(found, labels, probabilities):
    assert found.keys() == labels.keys()
    for pair, each in found.items():
        assert each.probability == pytest.approx(probabilities[pair][each.label])
        assert each.probability == pytest.approx(max(probabilities[pair].values()))
        # Where two labels are equally probable, crowd-kit's own choice is as good.
        others = [value for label, value in probabilities[pair].items() if label != each.label]
        if all(value < each.probability - 1e-9 for value in others):
            assert each.label == labels[pair]


@settings(max_examples=5)  # each takes crowd-kit a tenth of a second
@given(answered)
def test_labels_are_those_of_crowd_kit(pairs):
    given_ = judgments(pairs)
    found = aggregation.dawid_skene(given_, rounds=ROUNDS)
    check(found, *directly(DawidSkene(n_iter=ROUNDS), given_))
    found = aggregation.mace(given_, seed=3, rounds=ROUNDS)
    check(found, *directly(MACE(n_restarts=1, n_iter=ROUNDS, random_state=3), given_))


def test_people_who_know_outweigh_those_who_guess():
    """Three guess on all pairs and two are always right: here the majority is often wrong."""
    random, truths = Random(1), [n % 2 for n in range(120)]
    pairs = [
        {"a": truth, "b": truth, **{guesser: random.randrange(2) for guesser in "xyz"}}
        for truth in truths
    ]
    found = aggregation.dawid_skene(judgments(pairs))
    assert [found[f"p{n}"].label for n in range(120)] == truths
    wrong = sum(each.majority != truth for each, truth in zip(found.values(), truths, strict=True))
    assert aggregation.compare(found.values()).differing == wrong > 5


def test_degenerate_answers_have_the_label_of_their_majority():
    assert aggregation.dawid_skene([]) == aggregation.mace([], seed=1) == {}
    for pairs, label in (([{"a": 1}], 1), ([{"a": 0, "b": 0}] * 3, 0), ([{"a": 2, "b": 2}], 2)):
        for model, options in ((aggregation.dawid_skene, {}), (aggregation.mace, {"seed": 1})):
            found = model(judgments(pairs), rounds=ROUNDS, **options).values()
            assert {each.label for each in found} == {label}, (pairs, model)
            assert not any(each.differs for each in found), (pairs, model)


def test_models_are_compared_with_majorities():
    [tied] = aggregation.dawid_skene([(1, "a", 0), (1, "b", 1)]).values()
    assert tied.majority is None
    assert aggregation.compare([tied]) == Comparison(pairs=1, differing=0, ties=1, unsure=1)
    assert aggregation.compare([]) == Comparison(0, 0, 0, 0)
    labels = [Aggregated(1, 0.99, 1), Aggregated(0, 0.95, 1), Aggregated(0, 0.949, None)]
    assert aggregation.compare(labels) == Comparison(pairs=3, differing=1, ties=1, unsure=1)


def test_without_crowd_kit_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(CrowdKitMissing, match=r"requirements-crowd\.txt"):
        aggregation.dawid_skene([(1, "a", 0)])
