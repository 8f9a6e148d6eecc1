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

# Who has answered a pair, and what.
answered = st.lists(
    st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), min_size=1), min_size=1, max_size=8
)
# Each round takes crowd-kit some milliseconds.
few = settings(max_examples=8, deadline=None)
ROUNDS = 4


def judgments(pairs):
    return [
        (f"p{n}", who, label) for n, given_ in enumerate(pairs) for who, label in given_.items()
    ]


def directly(model, given_):
    """Labels and probabilities of crowd-kit, from a table made here."""
    tasks, workers, labels = zip(*given_, strict=True)
    table = pd.DataFrame({"task": tasks, "worker": workers, "label": labels})
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


@few
@given(answered)
def test_dawid_skene_is_that_of_crowd_kit(pairs):
    given_ = judgments(pairs)
    found = aggregation.dawid_skene(given_, rounds=ROUNDS)
    check(found, *directly(DawidSkene(n_iter=ROUNDS), given_))


@few
@given(answered)
def test_mace_is_that_of_crowd_kit(pairs):
    given_ = judgments(pairs)
    model = MACE(n_restarts=1, n_iter=ROUNDS, random_state=3)
    check(aggregation.mace(given_, seed=3, rounds=ROUNDS), *directly(model, given_))


def test_restarts_of_crowd_kits_mace_are_all_the_same():
    """Why ours starts once: from one seed crowd-kit draws every start alike."""
    given_ = judgments([{"a": 1, "b": 0, "c": 1}, {"a": 0, "b": 0, "c": 1}, {"a": 1, "b": 1}])
    once = directly(MACE(n_restarts=1, n_iter=ROUNDS, random_state=3), given_)
    assert directly(MACE(n_restarts=3, n_iter=ROUNDS, random_state=3), given_) == once


def test_whoever_knows_outweighs_those_who_guess():
    """Three guess on all pairs and two are always right: here the majority is often wrong."""
    random, truths = Random(1), [n % 2 for n in range(120)]
    pairs = [
        {"a": truth, "b": truth, **{guesser: random.randrange(2) for guesser in "xyz"}}
        for truth in truths
    ]
    found = aggregation.dawid_skene(judgments(pairs))
    assert [found[f"p{n}"].label for n in range(120)] == truths
    compared = aggregation.compare(found.values())
    wrong = sum(each.majority != truth for each, truth in zip(found.values(), truths, strict=True))
    assert compared.differing == wrong > 5


@pytest.mark.parametrize("model", ["dawid_skene", "mace"])
@pytest.mark.parametrize(
    ("pairs", "label"),
    [([{"a": 1}], 1), ([{"a": 0, "b": 0}] * 3, 0), ([{"a": 2, "b": 2, "c": 1}], 2)],
    ids=["one answer", "one label", "one pair"],
)
def test_degenerate_answers_have_their_majoritys_label(model, pairs, label):
    options = {"rounds": ROUNDS} | ({"seed": 1} if model == "mace" else {})
    found = getattr(aggregation, model)(judgments(pairs), **options)
    assert {each.label for each in found.values()} == {label}
    assert not any(each.differs for each in found.values())


def test_without_answers_there_is_no_label():
    assert aggregation.dawid_skene([]) == aggregation.mace([], seed=1) == {}
    assert aggregation.compare([]) == Comparison(0, 0, 0, 0)


def test_in_a_tie_there_is_no_majority_to_differ_from():
    [found] = aggregation.dawid_skene([(1, "a", 0), (1, "b", 1)]).values()
    assert found.majority is None
    assert aggregation.compare([found]) == Comparison(pairs=1, differing=0, ties=1, unsure=1)


def test_models_are_compared_with_majorities():
    labels = [Aggregated(1, 0.99, 1), Aggregated(0, 0.9, 1), Aggregated(0, 0.96, None)]
    assert aggregation.compare(labels) == Comparison(pairs=3, differing=1, ties=1, unsure=1)


def test_without_crowd_kit_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(CrowdKitMissing, match=r"requirements-crowd\.txt"):
        aggregation.dawid_skene([(1, "a", 0)])
