"""Looking up sets that may be alike: none that is alike is missed."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp import shingle_sketches
from generation.nlp.shingle_sketches import look_up, sketches

HALF = Fraction(1, 2)

sets = st.lists(st.sets(st.sampled_from("abcdefgh")), max_size=8)
thresholds = st.fractions(Fraction(1, 10), 1, max_denominator=20)


def looked_up(
    later: list[set[str]], earlier: list[set[str]], threshold: Fraction = HALF
) -> list[tuple[int, int]]:
    rows, others = look_up(sketches(later), sketches(earlier), threshold=threshold)
    return list(zip(rows.tolist(), others.tolist(), strict=True))


def alike(
    later: list[set[str]], earlier: list[set[str]], threshold: Fraction
) -> set[tuple[int, int]]:
    return {
        (row, other)
        for row, one in enumerate(later)
        for other, two in enumerate(earlier)
        if one | two and Fraction(len(one & two), len(one | two)) >= threshold
    }


@given(sets, sets, thresholds)
def test_no_pair_that_is_alike_is_missed(
    later: list[set[str]], earlier: list[set[str]], threshold: Fraction
) -> None:
    found = looked_up(later, earlier, threshold)

    assert alike(later, earlier, threshold) <= set(found)
    assert found == sorted(set(found))


@given(sets, sets)
def test_looking_up_in_pieces_finds_the_same(
    later: list[set[str]], earlier: list[set[str]]
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(shingle_sketches, "PAIRS_AT_ONCE", 3)
        in_pieces = looked_up(later, earlier)

    assert in_pieces == looked_up(later, earlier)


def test_sets_that_share_too_little_of_what_was_looked_up_are_left_out() -> None:
    assert looked_up([set("abcdefgh")], [set("abcuvwxy")]) == []


def test_a_set_much_smaller_is_left_out() -> None:
    assert looked_up([set("abcdefgh")], [set("abc")]) == []


@given(sets, sets)
def test_the_sum_of_sketches_is_the_sketches_of_all_sets(
    first: list[set[str]], second: list[set[str]]
) -> None:
    summed, whole = sketches(first) + sketches(second), sketches(first + second)

    assert summed.entries.tolist() == whole.entries.tolist()
    assert summed.sizes.tolist() == whole.sizes.tolist()


@given(sets, st.data())
def test_rows_that_are_taken_are_those_of_their_sets(
    several: list[set[str]], data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(range(len(several))).map(lambda order: order[::2]))

    taken, direct = sketches(several).take(rows), sketches([several[row] for row in rows])

    assert taken.entries.tolist() == direct.entries.tolist()
    assert taken.sizes.tolist() == direct.sizes.tolist()
