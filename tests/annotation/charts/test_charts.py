"""Axes are short and their numbers round; marks stand where their values belong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.charts import panels
from annotation.charts.axis import MOST_STEPS, axis
from annotation.charts.panels import Bar, Dot, Estimate, Tick

VALUES = st.floats(-1000, 1000, allow_nan=False).map(lambda value: round(value, 4))
HALF = axis(0, 1)


def test_numbers_of_an_axis_are_round():
    for low, high, numbers in (
        (0.83, 1.0, (0.8, 0.85, 0.9, 0.95, 1.0)), (0, 1, (0.0, 0.5, 1.0)),
        (0, 37, (0, 10, 20, 30, 40)), (0, 4300, (0, 2000, 4000, 6000)),
        (-0.2, 0.9, (-0.5, 0.0, 0.5, 1.0)), (0.4, 0.4, (0.4, 0.41)), (0, 0, (0.0, 0.1)),
    ):  # fmt: skip
        assert axis(low, high).numbers == pytest.approx(numbers), (low, high)
    assert [HALF.place(value) for value in (-7, 0.25, 7)] == [0.0, 0.25, 1.0]
    with pytest.raises(ValueError, match="no axis goes from 2 up to 1"):
        axis(2, 1)


@given(VALUES, VALUES)
def test_an_axis_holds_both_values_with_few_numbers(one, other):
    low, high = sorted((one, other))
    numbers = axis(low, high).numbers
    assert numbers[0] <= low + 1e-9
    assert high <= numbers[-1] + 1e-9
    assert 2 <= len(numbers) <= MOST_STEPS + 1


def test_marks_stand_where_their_values_belong():
    dots = panels.dots([None, Estimate(0.75, (0.5, 1.0))], HALF, height=100).dots
    assert dots == (Dot(x="75.00%", y="25.0", low="50.0", high="0.0"),)
    assert [each.is_sure for each in dots] == [True]
    panel = panels.bars([0, 5], axis(0, 10), height=80)
    assert panel.bars == (Bar(x="57.00%", y="40.0", width="36.00%", height="40.0"),)
    grid = panels.bars([1], HALF, height=100).grid
    assert [(line.y, line.number) for line in grid] == [("100.0", 0), ("50.0", 0.5), ("0.0", 1)]
    found = panels.across(Estimate(0.5, (0.25, 1.0)), HALF)
    assert found == Dot("50.00%", "50%", "25.00%", "100.00%")
    assert not panels.across(Estimate(0.5), HALF).is_sure
    assert not panels.dots([Estimate(0.5)], HALF, height=100).dots[0].is_sure
    assert (panels.part(3, 4), panels.part(0, 0)) == ("75.00%", "0.00%")
    assert panels.dots([], HALF, height=10).dots == ()
    words = panels.ticks([str(number) for number in range(13)], most=6)
    assert [tick.word for tick in words] == ["0", "3", "6", "9", "12"]
    assert words[1] == Tick(x="23.08%", word="3")
    assert [tick.word for tick in panels.ticks(["", "a", "", "b"])] == ["a", "b"]
    assert panels.ticks([]) == []
