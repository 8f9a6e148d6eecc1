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
        ("An apple.", "An red apple.", ([], ["red"])),
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
def test_what_is_not_marked_is_the_same_on_both_sides_but_for_spaces(before, after):
    kept = [
        "".join(p.text for p in side if not p.differs) for side in differences.of(before, after)
    ]
    assert "".join(kept[0].split()) == "".join(kept[1].split())


@given(TEXTS, TEXTS)
def test_no_mark_begins_or_ends_with_a_space(before, after):
    for side in differences.of(before, after):
        assert all(text == text.strip() for text in marked(side))
