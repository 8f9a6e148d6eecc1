import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.text import Reason, RefusedText, check


def test_composed_and_decomposed_letters_come_out_the_same() -> None:
    assert check("Cafe\u0301.", max_characters=10) == check("Caf\u00e9.", max_characters=10)


def test_white_space_at_the_ends_is_no_part_of_a_sentence() -> None:
    assert check("  A cat sleeps.\n", max_characters=20) == "A cat sleeps."


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", Reason.EMPTY),
        (" \u200b\u3000", Reason.EMPTY),
        ("a" * 21, Reason.TOO_LONG),
        ("a\0b", Reason.NUL),
        ("a\x07b", Reason.CONTROL),
        ("a\x9fb", Reason.CONTROL),
        ("a\ud800b", Reason.SURROGATE),
        ("a\tb", Reason.TAB),
        ("a\nb", Reason.LINE_BREAK),
        ("a\u2028b", Reason.LINE_BREAK),
    ],
)
def test_what_cannot_be_a_sentence_is_refused_by_name(text: str, reason: Reason) -> None:
    with pytest.raises(RefusedText) as refused:
        check(text, max_characters=20)
    assert refused.value.reason == reason


@pytest.mark.parametrize("text", ["שלום \u2067עולם\u2069.", "👩\u200d🔬 works.", "\ufffd stays"])
def test_marks_of_direction_and_joiners_are_kept(text: str) -> None:
    assert check(text, max_characters=40) == text


@given(st.text(max_size=40))
def test_what_is_accepted_is_nfc_on_one_line_and_accepted_again(text: str) -> None:
    try:
        accepted = check(text, max_characters=60)
    except RefusedText:
        return
    assert unicodedata.is_normalized("NFC", accepted)
    assert len(accepted.splitlines()) == 1
    assert "\t" not in accepted
    assert accepted.encode()
    assert check(accepted, max_characters=60) == accepted
