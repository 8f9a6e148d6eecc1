"""Periods are of round lengths, begin at round times, and cover everything."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.periods import DAY, HOUR, LENGTHS, MINUTE, MOST, Periods, covering

MOMENTS = st.integers(0, 4 * 10**9)


@given(MOMENTS, st.integers(0, 3 * 365 * DAY))
def test_the_first_and_the_last_moment_are_covered(first, span):
    periods = covering(first, first + span)
    assert periods.begins(0) <= first < periods.ends(0)
    assert periods.begins(periods.number - 1) <= first + span < periods.ends(periods.number - 1)


@given(MOMENTS, st.integers(0, 800 * DAY))
def test_there_are_never_too_many(first, span):
    assert 1 <= covering(first, first + span).number <= MOST


@pytest.mark.parametrize(
    ("span", "length"),
    [(0, 10 * MINUTE), (5 * HOUR, 10 * MINUTE), (20 * HOUR, HOUR), (30 * DAY, DAY)],
)
def test_the_shortest_length_that_will_do_is_taken(span, length):
    noon = 1_700_000_000 // DAY * DAY
    assert covering(noon, noon + span).length == length


def test_more_than_the_longest_can_hold_is_covered_all_the_same():
    periods = covering(0, 100 * 365 * DAY)
    assert periods.length == LENGTHS[-1]
    assert periods.number > MOST


def test_weeks_begin_on_mondays():
    periods = covering(1_700_000_000, 1_700_000_000 + 100 * DAY)
    assert periods.length == 7 * DAY
    assert datetime.fromtimestamp(periods.start, UTC).isoweekday() == 1


def test_days_begin_at_midnight_of_the_clock_on_the_wall():
    periods = covering(1_700_000_000, 1_700_000_000 + 20 * DAY, offset=2 * HOUR)
    assert periods.length == DAY
    assert datetime.fromtimestamp(periods.start, UTC).hour == 22


def test_each_period_ends_where_the_next_begins():
    periods = Periods(start=600, length=600, number=3)
    assert periods.ends(0) == periods.begins(1) == 1200
