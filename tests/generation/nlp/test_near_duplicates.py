"""Texts that nearly repeat an earlier one are all found, and no others."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import shingle_sketches
from generation.nlp.near_duplicates import THRESHOLD, NearDuplicates, are_near, shingles
from generation.nlp.shingle_sketches import look_up, sketches

TEN_SHINGLES = "a b c d e f g h i j k l"
CHAIN = [TEN_SHINGLES, f"{TEN_SHINGLES} m n o", f"{TEN_SHINGLES} m n o p q r"]

# Few words, so that texts often share shingles.
texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join), max_size=12)
thresholds = st.fractions(Fraction(1, 10), 1, max_denominator=20)


def matches(texts, *, at_once=100, threshold=THRESHOLD, skip=False):
    """What each text is found to repeat: a place among the texts kept before it."""
    kept, found = [], []
    index = NearDuplicates(lambda places: [kept[place] for place in places], threshold=threshold)
    for start in range(0, len(texts), at_once):
        some = texts[start : start + at_once]
        scan, new = index.scan(some), []
        for row, text in enumerate(some):
            found.append(scan.match(row))
            if found[-1] is None or not skip:
                scan.keep(row)
                new.append(text)
        scan.close()
        kept += new
    return found


def jaccard(one, other):
    return Fraction(len(one & other), len(one | other) or 1)


def test_shingles_are_the_runs_of_three_words_whatever_their_case_and_the_marks_between():
    four = {"the cat sat", "cat sat the", "sat the cat", "the cat ran"}
    assert shingles("The cat sat; THE cat – ran.") == four
    assert shingles("Good day!") == {"good day"}
    assert shingles("– * –") == frozenset()
    seven, ten = frozenset("abcdefg"), frozenset("abcdefghij")
    assert are_near(seven, ten, threshold=Fraction(7, 10))
    assert not are_near(seven, ten | {"k"}, threshold=Fraction(7, 10))


def test_the_first_text_that_is_near_is_found():
    many = [f"t{n} u{n} v{n} w{n} x{n} y{n} z{n} according to the census of {n}" for n in range(99)]
    for given_texts, expected in (
        (["?!", "?!", "..."], [None, None, None]),  # without words
        ([TEN_SHINGLES, "x y z", f"{TEN_SHINGLES} m"], [None, None, 0]),
        (["a b c d", "A b c d", "a, b, c, d"], [None, 0, 0]),
        (CHAIN, [None, 0, 1]),
        ([*many, many[7]], [None] * 99 + [7]),
    ):
        assert matches(given_texts) == expected
    assert matches(CHAIN, skip=True) == [None, 0, None]  # what was not kept is not repeated
    index = NearDuplicates(lambda places: ["a b c d" for _ in places])
    index.enter(["x y z", "a b c d"])
    assert index.scan(["A B C D"]).match(0) == 1


def test_sets_that_share_too_little_are_not_looked_up():
    for other, found in (("abcdefgh", [0]), ("abcuvwxy", []), ("abc", [])):
        several = sketches([set("abcdefgh")]), sketches([set(other)])
        rows, _ = look_up(*several, threshold=Fraction(1, 2))
        assert rows.tolist() == found


@given(texts, thresholds, st.integers(1, 5))
def test_all_that_are_near_are_found_and_no_others_however_many_are_scanned_at_once(
    texts, threshold, at_once
):
    some = [shingles(text) for text in texts]
    expected = [
        next((i for i in range(own) if jaccard(some[i], some[own]) >= threshold), None)
        for own in range(len(some))
    ]
    assert matches(texts, threshold=threshold) == expected
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shingle_sketches, "PAIRS_AT_ONCE", 3)
        assert matches(texts, threshold=threshold, at_once=at_once) == expected
    without = matches(texts, threshold=threshold, skip=True)
    assert matches(texts, threshold=threshold, at_once=at_once, skip=True) == without
