"""What a page marks as different in two sentences, and what flags say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import differences, flag_words

TEXTS = st.text(st.sampled_from("ab c'’ß的 猫.\t-"), max_size=30)
FAST = {"flag": "fast", "answers": 12, "fast": 8, "floor_seconds": 2.0, "ratio": 9.1}
ONE_LABEL = {"flag": "one_label", "answers": 20, "same": 0, "most": 20, "of_others": 0.5}
DISAGREES = {"flag": "disagrees", "answers": 20, "agreeing": 10, "usual": 0.951, "pace": 0.0}


def test_words_that_the_other_sentence_lacks_are_marked():
    for before, after, expected in (
        ("Ada met Bo.", "Ada met Cy.", [["Bo"], ["Cy"]]),
        ("An apple.", "An red apple.", [[], ["red"]]),
        ("It's here.", "Its here.", [["It's"], ["Its"]]),
        ("猫在家。", "狗在家。", [["猫"], ["狗"]]),
        ("Alike.", "Alike.", [[], []]),
        ("", "New.", [[], ["New."]]),
    ):
        both = differences.of(before, after)
        assert [[each.text for each in side if each.differs] for side in both] == expected, after


@given(TEXTS, TEXTS)
def test_the_pieces_add_up_to_the_sentences_and_what_is_not_marked_is_the_same(before, after):
    both = differences.of(before, after)
    assert ["".join(piece.text for piece in side) for side in both] == [before, after]
    one, other = ("".join(p.text for p in side if not p.differs).split() for side in both)
    assert "".join(one) == "".join(other)
    for side in both:
        assert all(piece.text == piece.text.strip() for piece in side if piece.differs)


def test_a_flag_is_put_into_words_if_it_has_its_figures():
    others = "others gave it to 50 % of these pairs."
    for evidence, words in (
        (FAST, "8 of the last 12 answers took less than 2 seconds each."),
        (
            FAST | {"floor_seconds": 1.5},
            "8 of the last 12 answers took less than 1.5 seconds each.",
        ),
        (ONE_LABEL, f"20 of the last 20 answers are one and the same; {others}"),
        (DISAGREES, "10 of the last 20 answers are those of most others; 95 % is usual."),
    ):
        assert flag_words.of(evidence) == words
    for evidence in ({}, {"flag": "fast"}, {"flag": "a rule of old", "answers": 12}):
        with pytest.raises(KeyError):
            flag_words.of(evidence)
