"""Everybody is measured by what the others say, never by a majority that holds their own answer."""

from collections import Counter, defaultdict
from random import Random
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, cohen_kappa_score

from annotation.stats import others
from annotation.stats.others import Beside

PEOPLE = ["ann", "ben", "cis", "dov", "eva"]

# For each pair who has answered it, and what: one label of each.
thirty = settings(max_examples=30, deadline=None)
answered = st.lists(st.dictionaries(st.sampled_from(PEOPLE), st.integers(0, 2)), max_size=30)


def judgments(pairs):
    return [(pair, who, label) for pair, given in enumerate(pairs) for who, label in given.items()]


def by_hand(pairs, person):
    """Own labels and those of the others, pair by pair."""
    for given_ in pairs:
        counts = Counter(label for who, label in given_.items() if who != person)
        most = [label for label, number in counts.items() if number == max(counts.values())]
        if person in given_ and len(most) == 1:
            yield given_[person], most[0]


@thirty
@given(answered)
def test_accuracy_and_kappa_are_those_of_scikit_learn(pairs):
    found = others.of_judgments(judgments(pairs))
    for person, beside in found.items():
        labels = list(by_hand(pairs, person))
        assert beside.pairs == len(labels)
        if labels:
            own, theirs = zip(*labels, strict=True)
            assert beside.accuracy == pytest.approx(accuracy_score(theirs, own))
        if len({label for both in labels for label in both}) > 1:
            assert beside.kappa == pytest.approx(cohen_kappa_score(own, theirs))
        else:
            assert beside.kappa is None


@given(answered, st.randoms())
def test_the_order_of_answers_changes_nothing(pairs, random):
    given_ = judgments(pairs)
    shuffled = random.sample(given_, len(given_))
    assert others.of_judgments(shuffled) == others.of_judgments(given_)


@thirty
@given(answered)
def test_beside_the_majority_is_cohens_kappa_against_the_consensus(pairs):
    tallies = [tuple(list(each.values()).count(label) for label in range(3)) for each in pairs]
    counts = Counter((who, label, tallies[pair]) for pair, who, label in judgments(pairs))
    found = others.with_majority(counts)
    answers = defaultdict(list)
    for pair, who, label in judgments(pairs):
        tally = tallies[pair]
        if tally.count(max(tally)) == 1:
            answers[who].append((label, tally.index(max(tally))))
    for person, labels in answers.items():
        own, theirs = zip(*labels, strict=True)
        assert found[person].accuracy == pytest.approx(accuracy_score(theirs, own))
        if len({*own, *theirs}) > 1:
            assert found[person].kappa == pytest.approx(cohen_kappa_score(own, theirs))


def test_nobody_is_measured_by_their_own_answer():
    """Two of five say 1; to each of the two the others are one to three, and to the rest a tie."""
    pair = dict(zip(PEOPLE, [1, 1, 0, 0, 0], strict=True))
    found = others.of_judgments(judgments([pair]))
    assert [dict(found[who].counts) for who in PEOPLE] == [{(1, 0): 1}] * 2 + [{}] * 3


def test_a_pair_that_one_person_alone_has_answered_says_nothing():
    found = others.of_judgments([(1, "ann", 0), (2, "ann", 1)])
    assert found == {"ann": Beside({})}


@pytest.mark.parametrize(
    ("counts", "pairs", "accuracy", "kappa"),
    [
        ({}, 0, None, None),
        ({(1, 1): 1}, 1, 1.0, None),
        ({(0, 0): 8}, 8, 1.0, None),
        ({(0, 1): 8}, 8, 0.0, 0.0),
        ({(0, 0): 4, (1, 1): 4}, 8, 1.0, 1.0),
        ({(0, 1): 4, (1, 0): 4}, 8, 0.0, -1.0),
        ({(0, 0): 4, (0, 1): 4}, 8, 0.5, 0.0),
    ],
    ids=["no pair", "one pair", "one label", "never", "always", "always wrong", "one label of two"],
)
def test_degenerate_answers_have_a_defined_value(counts, pairs, accuracy, kappa):
    beside = Beside(counts)
    assert (beside.pairs, beside.accuracy, beside.kappa) == (pairs, accuracy, kappa)


def test_nobody_has_no_figures():
    assert others.of_judgments([]) == {}


def test_a_label_that_its_tally_lacks_is_refused():
    with pytest.raises(ValueError, match="not among those of its pair"):
        others.leaving_one_out({("ann", 1, (5, 0)): 1})


def test_the_interval_of_kappa_holds_it_and_grows_narrower_with_pairs():
    few, many = ({(0, 0): 40 * n, (1, 1): 30 * n, (0, 1): 6 * n, (1, 0): 4 * n} for n in (1, 25))
    widths = []
    for counts in (few, many):
        low, high = Beside(counts).kappa_interval(seed=1)
        assert low < Beside(counts).kappa < high
        widths.append(high - low)
    assert widths[1] < widths[0] / 4
    assert Beside({(0, 0): 9}).kappa_interval(seed=1) is None


def test_the_interval_of_kappa_is_that_of_samples_drawn_one_by_one():
    counts = {(0, 0): 20, (1, 1): 14, (0, 1): 5, (1, 0): 3}
    answers = np.repeat(np.array(list(counts)), list(counts.values()), axis=0)
    drawn = np.random.default_rng(5).integers(len(answers), size=(300, len(answers)))
    kappas = [cohen_kappa_score(*answers[sample].T) for sample in drawn]
    expected = np.percentile(kappas, (2.5, 97.5))
    assert Beside(counts).kappa_interval(seed=1) == pytest.approx(expected, abs=0.07)


def test_a_quarter_of_a_million_answers_take_a_second():
    """About 0.2 s of a processor of 2020; the bound leaves room for one that is shared."""
    random = Random(1)
    given_ = [(n // 5, f"person {random.randrange(8) * 5 + n % 5}", n % 2) for n in range(250_000)]
    before = process_time()
    found = others.of_judgments(given_)
    assert process_time() - before < 3
    assert len(found) == 40
