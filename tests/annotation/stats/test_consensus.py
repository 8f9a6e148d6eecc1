"""From the answers on a pair to its label, also decided early; and which slots' answers count."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.consensus import Decision, Protocol, decide, decide_tally
from annotation.stats.replacements import Settlement, Slot, close, settle

PARADE = Protocol(annotators_per_pair=3, min_votes=2, max_label=3, paraphrase_from=2)
EARLY = Protocol(decides_early=True)


def as_they_come(labels, protocol):
    """The decision of the first answers that decide a pair."""
    decisions = (decide(labels[:asked], protocol) for asked in range(1, len(labels) + 1))
    return next(decision for decision in decisions if decision.decided)


def test_a_vote_of_five_is_kept_from_four_on_in_any_order_also_decided_early():
    for labels in product((0, 1), repeat=5):
        ones = sum(labels)
        tally, majority = (5 - ones, ones), int(ones >= 3)
        kept = ones in {0, 1, 4, 5}
        decision = decide(labels)
        assert decision == Decision(tally, tally, majority, majority, True, True, kept), labels
        assert decision.label == (majority if kept else None), labels
        assert decision.agreeing == max(tally), labels
        early = as_they_come(labels, EARLY)
        assert (early.majority, early.kept, early.label) == (majority, kept, decision.label), labels
    nothing, tied = decide([]), decide([0, 0, 1, 1], Protocol(4, 2))
    assert (nothing.votes, nothing.majority, nothing.grade) == ((0, 0), None, None)
    assert (tied.majority, tied.label, tied.kept) == (None, None, False)
    # Votes decide early only where others cannot outvote them.
    lenient = Protocol(annotators_per_pair=5, min_votes=2, decides_early=True)
    assert (EARLY.enough_votes, lenient.enough_votes) == (4, 3)
    for protocol, enough in ((EARLY, 4), (lenient, 3)):
        decided = [decide([1] * votes, protocol).decided for votes in (enough - 1, enough)]
        assert decided == [False, True]
    four = decide([1, 1, 1, 1])
    assert (four.complete, four.decided, four.kept) == (False, False, True)


def test_grades_are_votes_for_one_of_two_sides_and_no_other_labels_are_taken():
    for labels, votes, grade, label in (
        ([3, 3, 2], (0, 3), 3, 1),
        ([1, 1, 2], (2, 1), 1, 0),
        ([0, 1, 3], (2, 1), None, 0),
        ([3, 2, 0], (1, 2), None, 1),
    ):
        decision = decide(labels, PARADE)
        assert decision == decide(sorted(labels), PARADE), labels
        assert (decision.votes, decision.grade, decision.label) == (votes, grade, label), labels
    for label in (-1, 2):
        with pytest.raises(ValueError, match="outside 0 to 1"):
            decide([0, label])
    for tally in ((5,), (1, 2, 2), (-1, 6)):
        with pytest.raises(ValueError, match="not a tally"):
            decide_tally(tally)
    for numbers in ((5, 6, 1, 1), (5, 0, 1, 1), (5, 4, 1, 2), (5, 4, 1, 0)):
        with pytest.raises(ValueError, match=r"cannot agree|on each side"):
            Protocol(*numbers)


@given(st.data())
def test_deciding_early_asks_no_more_and_comes_to_the_same(data):
    people, highest = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 3))
    least, side = data.draw(st.integers(1, people)), data.draw(st.integers(1, highest))
    answers = data.draw(st.lists(st.integers(0, highest), min_size=people, max_size=people))
    numbers = (people, least, highest, side)
    early = as_they_come(answers, Protocol(*numbers, decides_early=True))
    full = as_they_come(answers, Protocol(*numbers))
    assert (early.majority, early.kept) == (full.majority, full.kept)
    assert sum(early.tally) <= sum(full.tally) == people


def test_one_slot_of_each_line_counts():
    out, waiting = {"is_out": True}, {"is_open": True}
    for what, slots, settled in (
        ("all", [Slot(1), Slot(2, **waiting)], Settlement([1, 2])),
        ("no replacement", [Slot(1, **out), Slot(2)], Settlement([2], wanting=[1])),
        ("replaced", [Slot(1, **out), Slot(2), Slot(6, 1, **waiting)], Settlement([6, 2])),
        ("replacement out", [Slot(1, **out), Slot(6, 1, **out)], Settlement(wanting=[6])),
        ("put back before an answer", [Slot(1), Slot(6, 1, **waiting)], Settlement([1], gone=[6])),
    ):
        assert settle(slots) == settled, what
    answered_and_asked_again = [Slot(1), Slot(6, 1), Slot(7, 6, **waiting)]
    assert settle(answered_and_asked_again) == Settlement([1], aside=[6], gone=[7])
    # Of a decided pair every open slot goes.
    slots = [Slot(1), Slot(2, **waiting), Slot(3, **out), Slot(6, replaces=3)]
    assert close(slots) == Settlement(counting=[1, 6], gone=[2])


@given(st.data())
def test_each_answer_that_is_asked_for_counts_once_or_is_wanting(data):
    asked = data.draw(st.integers(1, 5))
    slots = [Slot(number, is_out=data.draw(st.booleans())) for number in range(1, asked + 1)]
    for _ in range(data.draw(st.integers(0, 6))):
        taken = {slot.replaces for slot in slots}
        replaced = data.draw(st.sampled_from([slot.id for slot in slots if slot.id not in taken]))
        states = data.draw(st.tuples(st.booleans(), st.booleans()))
        slots.append(Slot(len(slots) + 1, replaced, *states))
    settled = settle(data.draw(st.permutations(slots)))
    assert len(settled.counting) + len(settled.wanting) == asked
    rest = {slot.id for slot in slots if not slot.is_out}
    assert sorted(rest) == sorted(settled.counting + settled.aside + settled.gone)
