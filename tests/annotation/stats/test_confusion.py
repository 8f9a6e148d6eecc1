"""Which labels people confuse, from tallies, against scikit-learn on single answers."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import confusion_matrix

from annotation.stats.agreement import as_key
from annotation.stats.confusion import pairs_of_answers, shares_of_rows

TALLIES = st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=20)


@given(TALLIES)
def test_counts_are_those_of_scikit_learn_for_answers_in_either_order(tallies):
    answers = [np.repeat(range(3), tally) for tally in tallies]
    both = [two for of_pair in answers for two in permutations(of_pair, 2)]
    expected = np.zeros((3, 3), int)
    if both:
        expected = confusion_matrix(*zip(*both, strict=True), labels=range(3))
    np.fill_diagonal(expected, np.diag(expected) // 2)
    votes = {tally: tallies.count(tally) for tally in tallies}
    assert [*map(list, pairs_of_answers(votes))] == (expected.tolist() if both else [])


def test_a_share_says_what_the_other_person_chose():
    counts = pairs_of_answers({(3, 1, 0): 2})
    assert counts == ((6, 6, 0), (6, 0, 0), (0, 0, 0))
    [first, second, never] = shares_of_rows(counts)
    assert (first, second) == (pytest.approx((2 / 3, 1 / 3, 0)), (1, 0, 0))
    assert never == (None, None, None)


def test_only_the_first_people_of_a_pair_are_compared():
    assert pairs_of_answers({as_key((2, 3, 0), (2, 1, 0)): 1}) == ((1, 2, 0), (2, 0, 0), (0, 0, 0))
