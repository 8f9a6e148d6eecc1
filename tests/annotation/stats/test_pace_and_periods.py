"""When a study will end, as a range or not at all; and time cut into round periods."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.stats.periods import (
    DAY,
    HOUR,
    LENGTHS,
    MINUTE,
    MOST,
    T95,
    Forecast,
    Window,
    forecast,
    periods_covering,
    window,
)

WEEK = Window(7, DAY)
SOME_TIME = 1_700_000_000


def test_the_range_is_that_of_the_t_interval_of_the_mean():
    assert forecast([240] * 7, WEEK, answers_left=480) == Forecast(10.0, 48.0, 48.0)
    expected = [stats.t.ppf(0.975, freedom) for freedom in range(2, 7)]
    assert pytest.approx(expected, rel=1e-4) == list(T95)
    answers = [300, 180, 240, 260, 200, 220, 280]
    low, high = stats.t.interval(0.95, 6, loc=np.mean(answers), scale=stats.sem(answers))
    found = forecast(answers, WEEK, answers_left=1000)
    assert found.soonest == pytest.approx(24 * 1000 / high, rel=1e-4)
    assert found.latest == pytest.approx(24 * 1000 / low, rel=1e-4)
    # A pace that is unsteady has no latest end, and an idle or finished study none.
    unsteady = forecast([500, 0, 0, 0, 0, 0, 10], WEEK, answers_left=1000)
    assert unsteady.soonest > 0
    assert unsteady.latest is None
    for answers, left in (([0, 240, 240], 100), ([240, 240, 240], 0), ([0, 0, 0], 100)):
        assert forecast(answers, Window(3, DAY), answers_left=left) is None, (answers, left)
    assert forecast([1, 1, 1], Window(3, DAY), answers_left=1) is not None


def test_the_pace_is_measured_over_whole_days_as_soon_as_there_are_some():
    for seconds, expected in (
        (HOUR - 1, None), (HOUR, Window(6, 600)), (6 * HOUR, Window(6, HOUR)),
        (3 * DAY - 6, Window(6, 12 * HOUR - 1)), (3 * DAY, Window(3, DAY)),
        (6.5 * DAY, Window(6, DAY)), (400 * DAY, Window(7, DAY)),
    ):  # fmt: skip
        assert window(seconds) == expected, seconds
    assert WEEK.total == 7 * DAY


@given(st.integers(0, 4 * 10**9), st.integers(0, 800 * DAY))
def test_few_periods_cover_the_first_and_the_last_moment(first, span):
    periods = periods_covering(first, first + span)
    assert 1 <= periods.number <= MOST
    assert periods.begins(0) <= first < periods.begins(1)
    assert periods.begins(periods.number - 1) <= first + span < periods.begins(periods.number)


def test_the_shortest_length_that_will_do_is_taken_and_begins_by_the_clock_on_the_wall():
    midnight = SOME_TIME // DAY * DAY
    for span, length in (
        *((0, 10 * MINUTE), (5 * HOUR, 10 * MINUTE), (20 * HOUR, HOUR), (30 * DAY, DAY)),
        *((32 * 10 * MINUTE - 1, 10 * MINUTE), (32 * 10 * MINUTE, 30 * MINUTE)),
    ):
        assert periods_covering(midnight, midnight + span).length == length, span
    longest = periods_covering(0, 100 * 365 * DAY)
    assert longest.length == LENGTHS[-1]
    assert longest.number > MOST
    weeks = periods_covering(SOME_TIME, SOME_TIME + 100 * DAY)
    assert weeks.length == 7 * DAY
    assert datetime.fromtimestamp(weeks.start, UTC).isoweekday() == 1
    days = periods_covering(SOME_TIME, SOME_TIME + 20 * DAY, offset=2 * HOUR)
    assert days.length == DAY
    assert datetime.fromtimestamp(days.start, UTC).hour == 22
