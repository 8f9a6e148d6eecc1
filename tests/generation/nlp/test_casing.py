import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.casing import begins_lower, capitalised, first_word, uncapitalised


@pytest.mark.parametrize(
    ("first", "inside"),
    [("The", "the"), ("A", "a"), ("I", "I"), ("NATO", "NATO"), ("iPod", "iPod")],
)
def test_a_word_loses_and_regains_the_capital_of_its_place(first: str, inside: str) -> None:
    assert uncapitalised(first) == inside
    assert capitalised(inside) == first


def test_quotation_marks_do_not_stand_first() -> None:
    assert first_word(["“", "The", "end"]) == 1
    assert first_word(["...", "!"]) is None


@given(st.text(min_size=1, max_size=6))
def test_a_capital_can_always_be_given_back(word: str) -> None:
    if not begins_lower(word):
        assert capitalised(uncapitalised(word)) == word
