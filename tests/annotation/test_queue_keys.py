"""Keys keep what they say about order, for any ids and moments."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from annotation import queue_keys
from annotation.models.slots import FIRST_PLACE

IDS = st.integers(1, 2**50)
SLOTS = st.integers(1, queue_keys.KEYS_PER_PAIR - 1)
PRIORITIES = st.sampled_from([-1, 0, 1])
MOMENTS = st.integers(0, 180 * 365 * 86400 * 10**6).map(
    lambda microseconds: datetime(2020, 1, 1, tzinfo=UTC) + timedelta(microseconds=microseconds)
)


@given(IDS, SLOTS, IDS, SLOTS)
def test_depth_goes_pair_by_pair_then_slot_by_slot(pair, slot, other, other_slot):
    one, two = queue_keys.in_depth(pair, slot), queue_keys.in_depth(other, other_slot)
    assert (one < two) == ((pair, slot) < (other, other_slot))


@given(IDS, SLOTS, PRIORITIES)
def test_the_end_of_a_pair_passes_its_slots_and_no_slot_of_the_next(pair, slot, priority):
    passed = queue_keys.in_depth(pair, slot, priority=priority) | (queue_keys.KEYS_PER_PAIR - 1)
    last = queue_keys.in_depth(pair, queue_keys.KEYS_PER_PAIR - 1, priority=priority)
    assert last <= passed < queue_keys.in_depth(pair + 1, 1, priority=priority)


@given(MOMENTS, IDS, IDS, st.integers(0, 10_000), st.integers(1, 10**6))
def test_breadth_goes_by_the_moment(moment, pair, other, ahead, later):
    one = queue_keys.in_breadth(moment, pair, ahead=ahead)
    assert one < queue_keys.in_breadth(moment, other, ahead=ahead + later)
    assert one < queue_keys.in_breadth(moment + timedelta(microseconds=ahead + later), other)


@given(MOMENTS, IDS, SLOTS, MOMENTS, IDS, SLOTS)
def test_bands_never_meet(moment, pair, slot, other_moment, other, other_slot):
    for higher, lower in ((1, 0), (0, -1)):
        assert queue_keys.in_depth(pair, slot, priority=higher) < queue_keys.in_depth(
            other, other_slot, priority=lower
        )
        assert queue_keys.in_breadth(moment, pair, priority=higher) < queue_keys.in_breadth(
            other_moment, other, priority=lower
        )
        assert queue_keys.of_candidate(pair, priority=higher) < queue_keys.of_candidate(
            other, priority=lower
        )


@given(IDS, SLOTS, PRIORITIES, PRIORITIES)
def test_a_shift_leads_from_the_key_of_one_priority_to_that_of_another(pair, slot, before, after):
    shifted = queue_keys.in_depth(pair, slot, priority=before) + queue_keys.shift(before, after)
    assert shifted == queue_keys.in_depth(pair, slot, priority=after)


@given(MOMENTS, IDS, SLOTS)
def test_every_key_lies_beyond_the_first_place_and_fits_its_column(moment, pair, slot):
    for key in (
        queue_keys.in_depth(pair, slot, priority=1),
        queue_keys.in_breadth(moment, pair, priority=1),
    ):
        assert key > FIRST_PLACE
    assert queue_keys.in_breadth(moment, pair, priority=-1) < 2**63
