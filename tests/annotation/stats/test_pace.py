"""What is said of the end of a study is a range, and nothing where nothing can be said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from annotation.stats.pace import DAY, HOUR, T95, Forecast, Window, forecast, window

WEEK = Window(7, DAY)


def test_a_steady_pace_has_one_end():
    assert forecast([240] * 7, WEEK, left=480) == Forecast(10.0, 48.0, 48.0)


def test_the_range_is_that_of_the_t_interval_of_the_mean():
    answers = [300, 180, 240, 260, 200, 220, 280]
    mean, error = np.mean(answers), stats.sem(answers)
    low, high = stats.t.interval(0.95, 6, loc=mean, scale=error)
    told = forecast(answers, WEEK, left=1000)
    assert (told.soonest, told.latest) == pytest.approx(
        (24 * 1000 / high, 24 * 1000 / low), rel=1e-4
    )


def test_the_table_of_t_is_students():
    expected = [stats.t.ppf(0.975, freedom) for freedom in range(2, 7)]
    assert pytest.approx(expected, rel=1e-4) == list(T95)


def test_an_unsteady_pace_has_no_latest_end():
    told = forecast([500, 0, 0, 0, 0, 0, 10], WEEK, left=1000)
    assert told.soonest > 0
    assert told.latest is None


@pytest.mark.parametrize(
    ("answers", "left"),
    [([0, 240, 240], 100), ([240, 240, 240], 0), ([0, 0, 0], 100)],
    ids=["nobody is at work", "nothing is left", "nothing was ever done"],
)
def test_nothing_is_expected_where_nothing_goes_on(answers, left):
    assert forecast(answers, Window(3, DAY), left=left) is None


@given(st.lists(st.integers(1, 10_000), min_size=3, max_size=7), st.integers(1, 10**6))
def test_the_mean_pace_lies_within_the_range(answers, left):
    told = forecast(answers, Window(len(answers), DAY), left=left)
    at_the_mean = left / told.per_hour
    assert told.soonest <= at_the_mean * (1 + 1e-9)
    assert told.latest is None or at_the_mean <= told.latest * (1 + 1e-9)


def test_a_stretch_without_a_number_is_an_error():
    with pytest.raises(ValueError, match="not one for each of 7"):
        forecast([1, 2], WEEK, left=1)


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (HOUR - 1, None),
        (HOUR, Window(6, 600)),
        (6 * HOUR, Window(6, HOUR)),
        (3 * DAY - 6, Window(6, 12 * HOUR - 1)),
        (3 * DAY, Window(3, DAY)),
        (6.5 * DAY, Window(6, DAY)),
        (400 * DAY, Window(7, DAY)),
    ],
)
def test_the_pace_is_measured_over_whole_days_as_soon_as_there_are_some(seconds, expected):
    assert window(seconds) == expected
