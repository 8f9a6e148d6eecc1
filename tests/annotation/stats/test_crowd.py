"""What others say of pairs, and how far they can be believed."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats import crowd
from annotation.stats.crowd import Crowd

LABELS = st.lists(st.integers(0, 1), max_size=60)


def test_belief_by_hand():
    # One of four is wrong: odds 1/9 · 9³ / 9 = 9.
    assert Crowd(paraphrases=0.1, error=0.1).belief([1, 1, 1, 0]) == pytest.approx(0.9)


def test_without_others_the_share_of_paraphrases_is_all_that_is_known():
    assert Crowd(paraphrases=0.3, error=0.1).belief([]) == pytest.approx(0.3)


@given(LABELS, st.randoms())
def test_the_order_of_others_does_not_matter(labels, drawn):
    mixed = drawn.sample(labels, len(labels))
    assert Crowd(0.4, 0.1).belief(labels) == Crowd(0.4, 0.1).belief(mixed)
    assert crowd.fit([labels]) == crowd.fit([mixed])


@given(LABELS)
def test_the_scale_may_be_read_from_either_end(labels):
    turned = [1 - label for label in labels]
    assert Crowd(0.4, 0.1).belief(labels) == pytest.approx(1 - Crowd(0.6, 0.1).belief(turned))


@given(st.lists(LABELS, max_size=30))
def test_whatever_they_say_shares_are_within_their_bounds(pairs):
    found = crowd.fit(pairs)
    assert 0 < found.paraphrases < 1
    assert 0 < found.error <= crowd.MOST_ERROR


def test_a_thousand_people_who_say_the_same_break_nothing():
    assert Crowd(0.5, 0.001).belief([1] * 1000) == pytest.approx(1)
    assert crowd.fit([[1] * 1000, [0] * 1000]).error < 0.01


@pytest.mark.parametrize(("share", "error"), [(0.12, 0.07), (0.5, 0.15), (0.95, 0.05)])
def test_the_fit_finds_what_the_labels_were_drawn_from(share, error):
    drawn = random.Random(1)
    truths = [int(drawn.random() < share) for _ in range(2000)]
    pairs = [[truth ^ (drawn.random() < error) for _ in range(4)] for truth in truths]
    found = crowd.fit(pairs)
    assert found.paraphrases == pytest.approx(share, abs=0.03)
    assert found.error == pytest.approx(error, abs=0.01)
