"""Keys keep what they say about order, for any ids and moments."""

from datetime import UTC, datetime, timedelta
from functools import partial

from hypothesis import given
from hypothesis import strategies as st

from annotation.models.people import FIRST_PLACE
from annotation.work.keys import (
    BAND,
    KEYS_PER_ITEM,
    in_breadth,
    in_depth,
    shift,
)

IDS = st.integers(1, 2**50)
NUMBERS = st.integers(1, KEYS_PER_ITEM - 1)
PRIORITIES = st.sampled_from([-1, 0, 1])
START = datetime(2020, 1, 1, tzinfo=UTC)
MOMENTS = st.timedeltas(timedelta(0), timedelta(days=180 * 365)).map(START.__add__)


def test_keys_as_they_are_stored():
    moment = datetime(1970, 1, 1, 0, 0, 1, tzinfo=UTC)
    assert (BAND, KEYS_PER_ITEM) == (2**60, 128)
    assert in_depth(3, 2, priority=1) == 3 * 128 + 2 - 2**60
    assert in_breadth(moment, 130, ahead=2, priority=-1) == 1_000_002 * 128 + 2 + 2**60


@given(IDS, NUMBERS, IDS, NUMBERS, PRIORITIES, PRIORITIES)
def test_depth_goes_item_by_item_then_slot_by_slot(
    item, number, other, other_number, priority, after
):
    one = in_depth(item, number, priority=priority)
    two = in_depth(other, other_number, priority=priority)
    assert (one < two) == ((item, number) < (other, other_number))
    passed = one | (KEYS_PER_ITEM - 1)
    last = in_depth(item, KEYS_PER_ITEM - 1, priority=priority)
    assert last <= passed < in_depth(item + 1, 1, priority=priority)
    assert one + shift(priority, after) == in_depth(item, number, priority=after)


@given(MOMENTS, IDS, IDS, st.integers(0, 10_000), st.integers(1, 10**6))
def test_breadth_goes_by_the_moment(moment, item, other, ahead, later):
    one = in_breadth(moment, item, ahead=ahead)
    assert one < in_breadth(moment, other, ahead=ahead + later)
    assert one < in_breadth(moment + timedelta(microseconds=ahead + later), other)


@given(MOMENTS, IDS, NUMBERS, MOMENTS, IDS, NUMBERS)
def test_bands_never_meet_and_keys_fit_their_column(moment, item, number, moment2, item2, number2):
    for key, other in (
        (partial(in_depth, item, number), partial(in_depth, item2, number2)),
        (partial(in_breadth, moment, item), partial(in_breadth, moment2, item2)),
    ):
        assert FIRST_PLACE < key(priority=1) < other(priority=0) < key(priority=-1) < 2**63
