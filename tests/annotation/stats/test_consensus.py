from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.consensus import Decision, Protocol, decide, decide_tally

PARADE = Protocol(annotators_per_pair=3, min_votes=2, max_label=3, paraphrase_from=2)
EARLY = Protocol(decides_early=True)


@pytest.mark.parametrize("labels", list(product((0, 1), repeat=5)))
def test_every_vote_of_five_is_kept_from_four_on(labels: tuple[int, ...]) -> None:
    ones = sum(labels)
    decision = decide(labels)
    assert decision.votes == (5 - ones, ones)
    assert decision.majority == int(ones >= 3)
    assert decision.kept == (ones in {0, 1, 4, 5})
    assert decision.label == {0: 0, 1: 0, 4: 1, 5: 1}.get(ones)
    assert decision.agreeing == max(ones, 5 - ones)
    assert decision.complete


def test_a_tie_has_no_side() -> None:
    decision = decide([0, 0, 1, 1], Protocol(4, 2))
    assert (decision.majority, decision.label, decision.kept) == (None, None, False)


def test_too_few_judgments_are_not_complete() -> None:
    assert not decide([1, 1, 1, 1]).complete


def test_four_equal_judgments_are_kept_before_the_fifth() -> None:
    assert decide([1, 1, 1, 1]).kept


def test_no_judgment_decides_nothing() -> None:
    decision = decide([])
    assert (decision.votes, decision.majority, decision.grade) == ((0, 0), None, None)


@pytest.mark.parametrize(
    ("labels", "votes", "grade", "label"),
    [
        ([3, 3, 2], (0, 3), 3, 1),
        ([1, 1, 2], (2, 1), 1, 0),
        ([0, 1, 3], (2, 1), None, 0),
        ([3, 2, 0], (1, 2), None, 1),
    ],
)
def test_grades_are_votes_for_one_of_two_sides(
    labels: list[int], votes: tuple[int, int], grade: int | None, label: int
) -> None:
    decision = decide(labels, PARADE)
    assert (decision.votes, decision.grade, decision.label) == (votes, grade, label)


@given(st.lists(st.integers(0, 3), max_size=9))
def test_the_order_of_judgments_does_not_matter(labels: list[int]) -> None:
    assert decide(labels, PARADE) == decide(sorted(labels), PARADE)


@given(st.lists(st.integers(0, 1), max_size=9), st.integers(1, 5))
def test_a_kept_pair_has_enough_votes_on_the_side_of_its_label(
    labels: list[int], enough: int
) -> None:
    decision = decide(labels, Protocol(5, enough))
    if decision.label is None:
        assert max(decision.votes) < enough or decision.votes[0] == decision.votes[1]
    else:
        assert decision.votes[decision.label] >= enough


@pytest.mark.parametrize("label", [-1, 2])
def test_a_label_outside_the_scale_is_refused(label: int) -> None:
    with pytest.raises(ValueError, match="outside 0 to 1"):
        decide([0, label])


@pytest.mark.parametrize("tally", [(5,), (1, 2, 2), (-1, 6)])
def test_a_tally_of_another_scale_is_refused(tally: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not a tally"):
        decide_tally(tally)


@pytest.mark.parametrize("numbers", [(5, 6, 1, 1), (5, 0, 1, 1), (5, 4, 1, 2), (5, 4, 1, 0)])
def test_a_protocol_that_can_decide_nothing_is_refused(numbers: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"cannot agree|on each side"):
        Protocol(*numbers)


def as_they_come(labels: tuple[int, ...], protocol: Protocol) -> Decision:
    """What a pair is decided as when its answers come in this order."""
    for asked in range(1, len(labels) + 1):
        decision = decide(labels[:asked], protocol)
        if decision.decided:
            return decision
    raise AssertionError("undecided with all answers")


@pytest.mark.parametrize("labels", list(product((0, 1), repeat=5)))
def test_all_orders_of_five_votes_are_one_consensus(labels: tuple[int, ...]) -> None:
    consensus = {decide(order) for order in permutations(labels)}
    assert len(consensus) == 1


@pytest.mark.parametrize("labels", list(product((0, 1), repeat=5)))
def test_deciding_early_changes_no_label_in_any_order(labels: tuple[int, ...]) -> None:
    full = decide(labels)
    for order in permutations(labels):
        early = as_they_come(order, EARLY)
        assert (early.majority, early.kept, early.label) == (full.majority, full.kept, full.label)


def test_four_that_agree_are_enough_only_where_that_decides() -> None:
    assert decide([1, 0, 1, 1, 1], EARLY).decided
    assert decide([1, 1, 1, 1], EARLY).decided
    assert not decide([1, 1, 1, 0], EARLY).decided
    assert not decide([1, 1, 1, 1]).decided


@given(st.data())
def test_deciding_early_asks_no_more_and_comes_to_the_same(data: st.DataObject) -> None:
    people = data.draw(st.integers(1, 9))
    highest = data.draw(st.integers(1, 3))
    numbers = (people, data.draw(st.integers(1, people)), highest)
    numbers = (*numbers, data.draw(st.integers(1, highest)))
    answers = tuple(data.draw(st.lists(st.integers(0, highest), min_size=people, max_size=people)))
    early = as_they_come(answers, Protocol(*numbers, decides_early=True))
    full = as_they_come(answers, Protocol(*numbers))
    assert (early.majority, early.kept) == (full.majority, full.kept)
    assert sum(early.tally) <= sum(full.tally) == people


def test_two_votes_that_would_keep_a_pair_do_not_decide_it_while_others_may_outvote_them() -> None:
    lenient = Protocol(annotators_per_pair=5, min_votes=2, decides_early=True)
    assert lenient.enough_votes == 3
    assert not decide([1, 1], lenient).decided
