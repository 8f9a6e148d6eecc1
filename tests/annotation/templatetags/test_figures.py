"""Numbers are rounded, grouped, and written as the language of the page does it."""

import pytest
from django.utils import translation

from annotation.templatetags import figures

SPACE = "\N{NO-BREAK SPACE}"


@pytest.mark.parametrize(
    ("value", "digits", "expected"),
    [(47290, 0, "47,290"), (0.5678, 2, "0.57"), (21.05, 1, "21.1"), (None, 0, "–"), ("", 1, "–")],
)
def test_numbers_are_rounded_and_grouped(value, digits, expected):
    assert figures.number(value, digits) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.94749, f"94.7{SPACE}%"), (1, f"100.0{SPACE}%"), (None, "–"), ("", "–")],
)
def test_shares_are_percentages(value, expected):
    assert figures.share(value) == expected


def test_intervals_have_two_ends():
    assert figures.shares((0.9391, 0.9519)) == f"93.9–95.2{SPACE}%"
    assert figures.between((-0.04, 0.62)) == "-0.04 to 0.62"
    assert figures.shares(None) == figures.between("") == ""


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.001, "1 minute"), (0.5, "30 minutes"), (1.2, "1 hour"), (30, "30 hours"), (72, "3 days")],
)
def test_hours_are_told_in_the_unit_that_suits(value, expected):
    assert figures.hours(value) == expected


def test_german_pages_have_german_numbers():
    with translation.override("de"):
        assert figures.number(47290) == "47.290"
        assert figures.share(0.947) == f"94,7{SPACE}%"


def test_a_dictionary_is_asked_for_a_key_of_the_page():
    assert figures.item({1: "one"}, 1) == "one"
    assert figures.item({1: "one"}, 2) is None
