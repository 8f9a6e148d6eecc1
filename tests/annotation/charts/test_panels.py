"""Marks stand where their values belong, in numbers that every browser reads."""

import re

from hypothesis import given
from hypothesis import strategies as st

from annotation.charts import panels
from annotation.charts.axis import axis
from annotation.charts.panels import Bar, Dot, Estimate, Tick

HALF = axis(0, 1)


def test_a_dot_stands_in_the_middle_of_its_period_at_the_height_of_its_value():
    panel = panels.dots([None, Estimate(0.75, (0.5, 1.0))], HALF, height=100)
    assert panel.dots == (Dot(x="75.00%", y="25.0", low="50.0", high="0.0"),)


def test_a_dot_without_an_interval_says_so():
    [dot] = panels.dots([Estimate(0.5)], HALF, height=100).dots
    assert not dot.is_sure


def test_a_bar_stands_on_the_ground_and_nothing_has_no_bar():
    panel = panels.bars([0, 5], axis(0, 10), height=80)
    assert panel.bars == (Bar(x="57.00%", y="40.0", width="36.00%", height="40.0"),)


def test_the_grid_has_a_line_for_each_number():
    grid = panels.bars([1], axis(0, 1), height=100).grid
    assert [(line.y, line.number) for line in grid] == [("100.0", 0), ("50.0", 0.5), ("0.0", 1)]


def test_words_are_thinned_out_evenly():
    words = [str(number) for number in range(13)]
    found = panels.ticks(words, most=6)
    assert [tick.word for tick in found] == ["0", "3", "6", "9", "12"]
    assert found[1] == Tick(x="23.08%", word="3")


def test_periods_without_a_word_have_no_tick():
    assert [tick.word for tick in panels.ticks(["", "a", "", "b"])] == ["a", "b"]


def test_without_periods_nothing_is_drawn():
    assert panels.ticks([]) == []
    assert panels.dots([], HALF, height=10).dots == ()


def test_an_estimate_lies_across_between_the_ends_of_its_interval():
    assert panels.across(Estimate(0.5, (0.25, 1.0)), HALF) == Dot(
        "50.00%", "50%", "25.00%", "100.00%"
    )
    assert not panels.across(Estimate(0.5), HALF).is_sure


def test_a_part_of_nothing_has_no_length():
    assert panels.part(3, 4) == "75.00%"
    assert panels.part(0, 0) == "0.00%"


@given(st.lists(st.floats(0, 1e6, allow_subnormal=False), min_size=1, max_size=40))
def test_every_bar_stays_within_its_panel(numbers):
    panel = panels.bars(numbers, axis(0, max(numbers)), height=90)
    for bar in panel.bars:
        left, wide = (float(value.removesuffix("%")) for value in (bar.x, bar.width))
        assert -0.01 <= left <= left + wide <= 100.01
        assert 0 <= float(bar.y) <= 90
        assert re.fullmatch(r"\d+\.\d", bar.height)
