"""Texts that nearly repeat an earlier one are all found, and no others."""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.near_duplicates import THRESHOLD, NearDuplicates, are_near, shingles

TEN_SHINGLES = "a b c d e f g h i j k l"

# Few words, so that texts often share shingles.
texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=12).map(" ".join), max_size=12)
thresholds = st.fractions(Fraction(1, 10), 1, max_denominator=20)


def gone_through(
    texts: Sequence[str],
    *,
    at_once: int = 100,
    threshold: Fraction = THRESHOLD,
    skip: bool = False,
) -> list[int | None]:
    """What each text is found to repeat: a place among the texts kept before it."""
    kept: list[str] = []
    found: list[int | None] = []
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


def compared_with_all(texts: Sequence[str], threshold: Fraction) -> list[int | None]:
    """The same without skipping, by comparing each text with every earlier one."""
    sets = [shingles(text) for text in texts]
    return [
        next((i for i in range(own) if jaccard(sets[i], sets[own]) >= threshold), None)
        for own in range(len(sets))
    ]


def jaccard(set1: frozenset[str], set2: frozenset[str]) -> Fraction:
    return Fraction(len(set1 & set2), len(set1 | set2) or 1)


def test_shingles_are_the_runs_of_three_words_whatever_their_case_and_the_marks_between() -> None:
    assert shingles("The cat sat; THE cat – ran.") == {
        "the cat sat",
        "cat sat the",
        "sat the cat",
        "the cat ran",
    }


def test_a_text_of_two_words_is_one_shingle_and_one_of_marks_has_none() -> None:
    assert shingles("Good day!") == {"good day"}
    assert shingles("– * –") == frozenset()


def test_the_threshold_itself_is_near() -> None:
    seven, ten = frozenset("abcdefg"), frozenset("abcdefghij")

    assert are_near(seven, ten, threshold=Fraction(7, 10))
    assert not are_near(seven, ten | {"k"}, threshold=Fraction(7, 10))


def test_nothing_is_near_to_a_text_without_words() -> None:
    assert gone_through(["?!", "?!", "..."]) == [None, None, None]


def test_a_text_with_one_word_more_at_its_end_is_found() -> None:
    assert gone_through([TEN_SHINGLES, "x y z", f"{TEN_SHINGLES} m"]) == [None, None, 0]


def test_the_first_of_several_is_found() -> None:
    assert gone_through(["a b c d", "A b c d", "a, b, c, d"]) == [None, 0, 0]


def test_a_chain_is_found_link_by_link() -> None:
    chain = [TEN_SHINGLES, f"{TEN_SHINGLES} m n o", f"{TEN_SHINGLES} m n o p q r"]

    assert gone_through(chain) == [None, 0, 1]


def test_what_was_not_kept_is_repeated_by_nothing() -> None:
    chain = [TEN_SHINGLES, f"{TEN_SHINGLES} m n o", f"{TEN_SHINGLES} m n o p q r"]

    assert gone_through(chain, skip=True) == [None, 0, None]


@given(texts, thresholds)
def test_all_that_are_near_are_found_and_no_others(texts: list[str], threshold: Fraction) -> None:
    found = gone_through(texts, threshold=threshold)

    assert found == compared_with_all(texts, threshold)


@given(texts, thresholds, st.integers(1, 5), st.booleans())
def test_how_many_are_gone_through_at_once_makes_no_difference(
    texts: list[str], threshold: Fraction, at_once: int, skip: bool
) -> None:
    found = gone_through(texts, threshold=threshold, at_once=at_once, skip=skip)

    assert found == gone_through(texts, threshold=threshold, skip=skip)


@given(texts)
def test_of_two_equal_texts_the_later_is_the_repeat(texts: list[str]) -> None:
    found = gone_through([*texts, TEN_SHINGLES, TEN_SHINGLES.upper()])

    assert found[-2:] == [None, len(texts)]


def test_texts_entered_without_asking_are_found_later() -> None:
    index = NearDuplicates(lambda places: ["a b c d" for _ in places])
    index.enter(["x y z", "a b c d"])

    assert index.scan(["A B C D"]).match(0) == 1


def test_many_texts_with_a_common_ending_are_told_apart() -> None:
    ending = "according to the census of the year"
    several = [f"t{n} u{n} v{n} w{n} x{n} y{n} z{n} {ending}" for n in range(300)]

    found = gone_through([*several, several[7]], at_once=50)

    assert found == [None] * 300 + [7]
