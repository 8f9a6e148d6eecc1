"""Intervals of shares."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.intervals import wilson


@st.composite
def counts(draw):
    whole = draw(st.integers(1, 10_000))
    return draw(st.integers(0, whole)), whole


def test_by_hand():
    # (p + z²/2n ± z·sqrt(p(1-p)/n + z²/4n²)) / (1 + z²/n) with p = 0.5, n = 4, z = 2.
    assert wilson(2, 4, z=2.0) == pytest.approx((0.5 - 0.125**0.5, 0.5 + 0.125**0.5))


def test_of_nothing_there_is_none():
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("part", "whole"), [(-1, 3), (4, 3)])
def test_a_part_beyond_the_whole_is_refused(part, whole):
    with pytest.raises(ValueError, match="no part"):
        wilson(part, whole)


@given(counts())
def test_the_share_lies_within(counted):
    part, whole = counted
    low, high = wilson(part, whole)
    assert 0 <= low <= part / whole + 1e-12
    assert part / whole - 1e-12 <= high <= 1


@given(counts())
def test_the_rest_has_the_mirrored_interval(counted):
    part, whole = counted
    low, high = wilson(part, whole)
    assert wilson(whole - part, whole) == pytest.approx((1 - high, 1 - low))
