"""What differs is marked, and nothing is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation import differences

TEXTS = st.text(st.sampled_from("ab c'’ß的 猫.\t-"), max_size=30)


def marked(pieces) -> list[str]:
    return [piece.text for piece in pieces if piece.differs]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Ada met Bo.", "Ada met Cy.", (["Bo"], ["Cy"])),
        ("An apple.", "An red apple.", ([], [" red"])),
        ("It's here.", "Its here.", (["It's"], ["Its"])),
        ("猫在家。", "狗在家。", (["猫"], ["狗"])),
        ("Alike.", "Alike.", ([], [])),
        ("", "New.", ([], ["New."])),
    ],
)
def test_words_that_the_other_sentence_lacks_are_marked(before, after, expected):
    one, other = differences.of(before, after)
    assert (marked(one), marked(other)) == expected


@given(TEXTS, TEXTS)
def test_the_pieces_add_up_to_the_sentences(before, after):
    one, other = differences.of(before, after)
    assert "".join(piece.text for piece in one) == before
    assert "".join(piece.text for piece in other) == after


@given(TEXTS, TEXTS)
def test_what_is_not_marked_is_the_same_on_both_sides(before, after):
    one, other = differences.of(before, after)
    assert "".join(p.text for p in one if not p.differs) == "".join(
        p.text for p in other if not p.differs
    )
