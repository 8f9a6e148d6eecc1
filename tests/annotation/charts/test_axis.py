"""Axes are short, and their numbers are round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.charts.axis import MOST_STEPS, axis

VALUES = st.floats(-1000, 1000, allow_nan=False).map(lambda value: round(value, 4))


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [
        (0.83, 1.0, (0.8, 0.85, 0.9, 0.95, 1.0)),
        (0, 1, (0.0, 0.5, 1.0)),
        (0, 37, (0, 10, 20, 30, 40)),
        (0, 4300, (0, 2000, 4000, 6000)),
        (-0.2, 0.9, (-0.5, 0.0, 0.5, 1.0)),
        (0.4, 0.4, (0.4, 0.41)),
        (0, 0, (0.0, 0.1)),
    ],
)
def test_numbers_are_round(low, high, numbers):
    assert axis(low, high).numbers == pytest.approx(numbers)


@given(VALUES, VALUES)
def test_both_values_lie_on_the_axis(one, other):
    low, high = sorted((one, other))
    numbers = axis(low, high).numbers
    assert numbers[0] <= low + 1e-9
    assert high <= numbers[-1] + 1e-9


@given(VALUES, VALUES)
def test_there_are_few_numbers(one, other):
    low, high = sorted((one, other))
    assert 2 <= len(axis(low, high).numbers) <= MOST_STEPS + 1


def test_a_value_beyond_the_end_is_placed_at_the_end():
    assert axis(0, 1).place(7) == 1.0
    assert axis(0, 1).place(-7) == 0.0
    assert axis(0, 1).place(0.25) == 0.25


def test_an_axis_goes_up():
    with pytest.raises(ValueError, match="no axis goes from 2 up to 1"):
        axis(2, 1)
