"""How alike two sentences are, and which texts nearly repeat an earlier one."""

import math
from fractions import Fraction
from itertools import chain, combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from generation.nlp import near_duplicates
from generation.nlp.measures import bow_similarity, inversion_rate, likeness, words_kept
from generation.nlp.near_duplicates import (
    THRESHOLD,
    NearDuplicates,
    are_near,
    look_up,
    shingles,
    sketches,
)
from generation.nlp.words import tokens

TEXTS = st.text(max_size=60)
words = st.lists(st.sampled_from(["a", "b", "c", "A", "the", "dog"]), max_size=12)


def test_the_measures_of_the_papers_examples():
    source = ["On", "April", "2", "Jenkins", "married", "Ivy", "Vujic"]
    other = ["Jenkins", "married", "Ivy", "on", "April", "2"]
    assert inversion_rate(source, other) == pytest.approx(9 / 15)
    assert inversion_rate(["dog", "a", "dog"], ["Dog", "dog", "a"]) == pytest.approx(1 / 3)
    assert bow_similarity(["a", "a", "b"], ["A", "c"]) == pytest.approx(2 / math.sqrt(5 * 2))
    assert (bow_similarity([], []), bow_similarity([], ["a"])) == (1.0, 0.0)
    assert bow_similarity(source, [word.upper() for word in source[::-1]]) == 1.0


def places(words, word):
    return [place for place, other in enumerate(words) if other.lower() == word]


@given(words, words)
def test_the_measures_are_those_of_their_definitions_and_symmetric(one, other):
    axes = ["a", "b", "c", "the", "dog"]
    # The n-th occurrence of each word with its n-th occurrence in the other sentence.
    aligned = (zip(places(one, word), places(other, word), strict=False) for word in axes)
    pairs = list(combinations(chain(*aligned), 2))
    crossed = sum((a1 - b1) * (a2 - b2) < 0 for (a1, a2), (b1, b2) in pairs)
    rate = crossed / len(pairs) if pairs else 0
    vectors = [[sum(word.lower() == axis for word in w) for axis in axes] for w in (one, other)]
    lengths = math.prod(math.hypot(*vector) for vector in vectors)
    shared = sum(n * m for n, m in zip(*vectors, strict=True))
    cosine = shared / lengths if lengths else float(one == other)
    for first, second in ((one, other), (other, one)):
        assert inversion_rate(first, second) == pytest.approx(rate)
        assert bow_similarity(first, second) == pytest.approx(cosine)
        assert 0 <= bow_similarity(first, second) <= 1 + 1e-12


@given(TEXTS, TEXTS)
@example("Zoë naïvely met 東京.", "東京 met Zoë \u2028 “naïvely”.")
def test_texts_are_measured_together_as_their_words_are_each_alone(one, other):
    both = tokens(one), tokens(other)
    assert likeness(one, other) == (bow_similarity(*both), inversion_rate(*both))


TEN_SHINGLES = "a b c d e f g h i j k l"
CHAIN = [TEN_SHINGLES, f"{TEN_SHINGLES} m n o", f"{TEN_SHINGLES} m n o p q r"]

# Few words, so that texts often share shingles.
repetitive = st.lists(st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join), max_size=12)
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
    # Sets that share too little are not looked up.
    for other, found in (("abcdefgh", [0]), ("abcuvwxy", []), ("abc", [])):
        several = sketches([set("abcdefgh")]), sketches([set(other)])
        rows, _ = look_up(*several, threshold=Fraction(1, 2))
        assert rows.tolist() == found


@given(repetitive, thresholds, st.integers(1, 5))
def test_all_that_are_near_are_found_and_no_others_in_parts_and_at_once(texts, threshold, at_once):
    some = [shingles(text) for text in texts]

    def near(own):
        return (i for i in range(own) if jaccard(some[i], some[own]) >= threshold)

    expected = [next(near(own), None) for own in range(len(some))]
    assert matches(texts, threshold=threshold) == expected
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(near_duplicates, "COMPARED_AT_ONCE", 3)
        assert matches(texts, threshold=threshold, at_once=at_once) == expected
    without = matches(texts, threshold=threshold, skip=True)
    assert matches(texts, threshold=threshold, at_once=at_once, skip=True) == without


def test_words_kept_are_counted_whatever_their_order_and_case():
    for before, after, share in (
        *(("Ada met Bo.", "bo MET ada!", 1.0), ("Ada met Bo.", "Ada has met Cy", 2 / 3)),
        *(("the the cat", "The cat", 2 / 3), ("Ada met Bo.", "x y z", 0.0), ("...", "x", 1.0)),
        ("他昨天去了北京", "他今天去了北京", 6 / 7),
    ):
        assert words_kept(before, after) == pytest.approx(share), before
