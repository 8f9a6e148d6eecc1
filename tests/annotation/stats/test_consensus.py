"""From the answers on a pair to its label, also decided early; and which slots' answers count."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.consensus import (
    Decision,
    Protocol,
    Slot,
    decide,
    decide_tally,
    settle,
)
from annotation.stats.labels import scale

PARADE = Protocol(3, 2, scale(3, border=2))
EARLY = Protocol(decides_early=True)
TWO = Protocol(judgments_per_pair=2, consensus_min_votes=2)


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
        assert decision == Decision(tally, tally, majority, True, kept), labels
        assert decision.label == (majority if kept else None), labels
        early = as_they_come(labels, EARLY)
        assert (early.majority, early.kept, early.label) == (majority, kept, decision.label), labels
    nothing, tied = decide([]), decide([0, 0, 1, 1], Protocol(4, 2))
    assert (nothing.votes, nothing.majority) == ((0, 0), None)
    assert (tied.majority, tied.label, tied.kept) == (None, None, False)
    # Votes decide early only where others cannot outvote them.
    lenient = Protocol(judgments_per_pair=5, consensus_min_votes=2, decides_early=True)
    assert (EARLY.enough_votes, lenient.enough_votes) == (4, 3)
    for protocol, enough in ((EARLY, 4), (lenient, 3)):
        decided = [decide([1] * votes, protocol).decided for votes in (enough - 1, enough)]
        assert decided == [False, True]
    four = decide([1, 1, 1, 1])
    assert (four.decided, four.kept) == (False, True)


def test_grades_are_votes_for_one_of_two_sides_and_no_other_labels_are_taken():
    # All 64 triples of grades in all orders: first the side of each, then the majority.
    labels_of = {}
    for labels in product(range(4), repeat=3):
        yes = sum(label >= 2 for label in labels)
        decision = decide(labels, PARADE)
        assert decision.votes == (3 - yes, yes), labels
        assert (decision.label, decision.kept) == (int(yes >= 2), True), labels
        labels_of.setdefault(tuple(sorted(labels)), set()).add(decision.label)
    assert set(map(len, labels_of.values())) == {1}
    # Neither the most frequent grade nor the mean grade would decide these so.
    for labels, label in (((0, 0, 3), 0), ((1, 1, 3), 0), ((0, 2, 2), 1)):
        assert decide(labels, PARADE).label == label
    for label in (-1, 2):
        with pytest.raises(ValueError, match="labels outside the 2"):
            decide([0, label])
    for tally in ((5,), (1, 2, 2), (-1, 6)):
        with pytest.raises(ValueError, match="not a tally"):
            decide_tally(tally)
    for numbers in ((5, 6), (5, 0)):
        with pytest.raises(ValueError, match="cannot agree"):
            Protocol(*numbers)


@given(st.data())
def test_deciding_early_asks_no_more_and_comes_to_the_same(data):
    people, highest = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 3))
    least, side = data.draw(st.integers(1, people)), data.draw(st.integers(1, highest))
    answers = data.draw(st.lists(st.integers(0, highest), min_size=people, max_size=people))
    protocol = Protocol(people, least, scale(highest, border=side))
    early = as_they_come(answers, replace(protocol, decides_early=True))
    full = as_they_come(answers, protocol)
    assert (early.majority, early.kept) == (full.majority, full.kept)
    assert sum(early.tally) <= sum(full.tally) == people


def summary(settled):
    """What happens to the slots of a pair, the tally aside."""
    slots = (settled.counting, settled.surplus, settled.kept, settled.gone)
    return *slots, settled.lacking, settled.decision.decided


def test_the_first_answers_by_time_count_and_open_slots_are_as_many_as_are_missing():
    out, claimed = {"is_excluded": True}, {"is_claimed": True}
    first, second, third = Slot(1, 1, 10.0), Slot(2, 0, 20.0), Slot(3, 1, 30.0)
    for what, slots, expected in (
        ("all are open", [Slot(1), Slot(2)], ([], [], [1, 2], [], 0, False)),
        ("none exists", [], ([], [], [], [], 2, False)),
        ("all answered", [second, first], ([1, 2], [], [], [], 0, True)),
        ("one excluded", [first, Slot(2, 1, 20.0, **out)], ([1], [], [], [], 1, False)),
        ("another asked", [Slot(1, 1, **out), second, Slot(3)], ([2], [], [3], [], 0, False)),
        ("a later one is surplus", [third, first, second], ([1, 2], [3], [], [], 0, True)),
        ("it counts again", [first, Slot(2, 0, **out), third], ([1, 3], [], [], [], 0, True)),
        ("put back before an answer", [first, second, Slot(3)], ([1, 2], [], [], [3], 0, True)),
        ("free ones go first", [first, Slot(2), Slot(3, **claimed)], ([1], [], [3], [2], 0, False)),
        (
            "by id at the same time",
            [Slot(2, 0), Slot(3, 1), Slot(1, 1)],
            ([1, 2], [3], [], [], 0, True),
        ),
    ):
        assert summary(settle(slots, TWO)) == expected, what
    # A pair that is decided early needs no open slot.
    three = Protocol(judgments_per_pair=3, consensus_min_votes=2, decides_early=True)
    for slots, expected in (
        ([first, third, Slot(2)], ([1, 3], [], [], [2], 0, True)),
        ([first, second, Slot(3, **claimed)], ([1, 2], [], [3], [], 0, False)),
    ):
        assert summary(settle(slots, three)) == expected


LABELS = st.none() | st.integers(0, 1)


@given(st.data())
def test_as_many_answers_as_are_asked_for_count_or_have_an_open_slot(data):
    asked, early = data.draw(st.integers(1, 5)), data.draw(st.booleans())
    protocol = Protocol(asked, data.draw(st.integers(1, asked)), decides_early=early)
    slots = []
    for number in range(data.draw(st.integers(0, 9))):
        label, at = data.draw(LABELS), data.draw(st.sampled_from([1.0, 2.0, 3.0]))
        marked = data.draw(st.booleans())
        is_open = label is None
        slots.append(Slot(number, label, at, marked and not is_open, marked and is_open))
    settled = settle(data.draw(st.permutations(slots)), protocol)
    open_slots, counting = len(settled.kept) + settled.lacking, len(settled.counting)
    assert settled.decision == decide([slots[key].label for key in settled.counting], protocol)
    assert open_slots == (0 if settled.decision.decided else asked - counting)
    rest = {slot.id for slot in slots if not slot.is_excluded}
    assert sorted(rest) == sorted(settled.counting + settled.surplus + settled.kept + settled.gone)
    times = [[slots[key].at for key in keys] for keys in (settled.counting, settled.surplus)]
    assert not times[1] or (counting == asked and max(times[0]) <= min(times[1]))
    assert not settled.gone or all(
        slots[kept].is_claimed >= slots[gone].is_claimed
        for kept in settled.kept
        for gone in settled.gone
    )
