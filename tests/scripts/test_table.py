"""The table in which every benchmark ends."""

import pytest

from scripts.benchmarks.table import Figure, Goal, at_least, at_most, render


def test_a_table_ends_with_the_number_of_goals_met() -> None:
    figures = [
        Figure("speed", 120, "sentences/s", goal=at_least(100)),
        Figure("memory", 900, "MB", goal=at_most(500)),
        Figure("sentences", 20000),
    ]

    assert render(figures).splitlines()[-1] == "1 of 2 goals met"


def test_a_row_shows_value_reference_ratio_goal_and_verdict() -> None:
    figure = Figure("claims", 190, "1/s", reference=38, goal=at_least(4, of_ratio=True))

    assert figure.cells() == ("claims", "190 1/s", "38", "5", ">= 4 x", "yes")


def test_columns_line_up() -> None:
    head, first, second, _ = render([Figure("a", 1.0), Figure("longer", 22.5, "s")]).splitlines()

    assert head.index("value") == first.index("1") == second.index("22.5")


@pytest.mark.parametrize(
    ("goal", "met"),
    [(at_least(10), True), (at_least(11), False), (at_most(10), True), (at_most(9), False)],
)
def test_a_bound_itself_counts_as_reached(goal: Goal, met: bool) -> None:
    assert Figure("x", 10, goal=goal).met is met


def test_a_goal_for_a_ratio_without_a_reference_is_not_met() -> None:
    assert Figure("x", 10, goal=at_least(1, of_ratio=True)).met is False
