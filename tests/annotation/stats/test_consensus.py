"""From the answers on a pair to its label, also decided early; and which slots' answers count."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats.consensus import (
    Decision,
    Protocol,
    Settlement,
    Slot,
    decide,
    decide_tally,
    settle,
)
from annotation.stats.labels import Label, Level, Rule, Scheme, scale

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


def settle_as_before(slots, protocol):
    """What `settle` did before more people than the first could be asked."""
    answered = [slot for slot in slots if slot.label is not None and not slot.is_excluded]
    answered.sort(key=lambda slot: (slot.at, slot.id))
    counting = answered[: protocol.judgments_per_pair]
    decision = decide([slot.label for slot in counting], protocol)
    missing = 0 if decision.decided else protocol.judgments_per_pair - len(counting)
    unanswered = [slot for slot in slots if slot.label is None]
    unanswered.sort(key=lambda slot: (not slot.is_claimed, slot.id))
    return Settlement(
        decision=decision,
        counting=[slot.id for slot in counting],
        surplus=[slot.id for slot in answered[protocol.judgments_per_pair :]],
        kept=[slot.id for slot in unanswered[:missing]],
        gone=[slot.id for slot in unanswered[missing:]],
        lacking=max(0, missing - len(unanswered)),
    )


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
    assert settled == settle_as_before(slots, protocol)
    rest = {slot.id for slot in slots if not slot.is_excluded}
    assert sorted(rest) == sorted(settled.counting + settled.surplus + settled.kept + settled.gone)
    times = [[slots[key].at for key in keys] for keys in (settled.counting, settled.surplus)]
    assert not times[1] or (counting == asked and max(times[0]) <= min(times[1]))
    assert not settled.gone or all(
        slots[kept].is_claimed >= slots[gone].is_claimed
        for kept in settled.kept
        for gone in settled.gone
    )


UP_TO_SEVEN = Protocol(5, 4, judgments_at_most=7)
THREE_LABELS = Scheme(
    tuple(Label(value, name) for value, name in enumerate(("follows", "open", "contradicts"))),
    Level.NOMINAL,
    Rule.MOST,
)


def test_a_pair_gets_more_votes_until_one_label_leads_as_the_first_would_have():
    for votes, is_decided, is_kept in (
        ((1, 4), True, True),  # four of five, a lead of three
        ((2, 3), False, False),
        ((2, 4), False, False),
        ((1, 5), True, True),
        ((2, 5), True, True),
        ((3, 4), True, False),  # nobody else is asked
    ):
        decision = decide_tally(votes, UP_TO_SEVEN)
        assert (decision.decided, decision.kept) == (is_decided, is_kept), votes
    assert decide_tally((2, 4), UP_TO_SEVEN.closed_at(6)) == Decision(
        (2, 4), (2, 4), 1, True, False
    )


@pytest.mark.parametrize(
    ("votes", "is_decided", "is_kept"),
    [
        ((3, 1, 1), True, True),
        ((2, 2, 1), False, False),
        ((3, 2, 1), False, False),
        ((3, 2, 2), False, False),
        ((4, 2, 1), True, True),
        ((4, 4, 1), True, False),  # nobody else is asked
    ],
)
def test_of_three_labels_one_leads_all_others_together(votes, is_decided, is_kept):
    protocol = Protocol(5, 3, scheme=THREE_LABELS, judgments_at_most=9)
    decision = decide_tally(votes, protocol)
    assert (decision.decided, decision.kept) == (is_decided, is_kept)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ((5, 4, {"judgments_at_most": 4}), "fewer than the people who judge each pair first"),
        ((5, 4, {"judgments_at_most": 16}), "at most 15"),
        ((4, 2, {"judgments_at_most": 6}), "more than half of the first"),
        ((5, 4, {"judgments_at_most": 7, "decides_early": True}), "stops early or asks more"),
        (
            (
                3,
                1,
                {
                    "judgments_at_most": 5,
                    "scheme": Scheme(
                        (Label(0, "no"), Label(1, "yes")), Level.INTERVAL, Rule.MEAN, 1
                    ),
                },
            ),
            "only where votes decide",
        ),
    ],
)
def test_more_people_can_be_asked_only_where_their_votes_can_settle_a_pair(numbers, message):
    people, votes, others = numbers
    with pytest.raises(ValueError, match=message):
        Protocol(people, votes, **others)


@st.composite
def protocols_with_more(draw):
    first = draw(st.integers(1, 5))
    return Protocol(
        first,
        draw(st.integers(first // 2 + 1, first)),
        draw(st.sampled_from([PARADE.scheme, THREE_LABELS])),
        judgments_at_most=draw(st.integers(first, first + 4)),
    )


@settings(max_examples=400)
@given(protocols_with_more(), st.data())
def test_answers_given_one_by_one_equal_their_replay(protocol, data):
    """A person answers whenever a slot is open; all at once are then settled again."""
    slots = [Slot(number) for number in range(protocol.judgments_per_pair)]
    labels = st.integers(0, protocol.scheme.size - 1)
    while open_slots := [slot for slot in slots if slot.label is None]:
        settled = settle(slots, protocol)
        assert (settled.kept, settled.gone) == ([slot.id for slot in open_slots], [])
        answered = data.draw(st.sampled_from(open_slots))
        slots[answered.id] = replace(answered, label=data.draw(labels), at=float(len(slots)))
        slots += [Slot(len(slots)) for _ in range(settle(slots, protocol).lacking)]
    settled, first = settle(slots, protocol), protocol.judgments_per_pair
    assert settled.decision.decided
    assert (settled.surplus, settled.lacking) == ([], 0)
    assert first <= len(slots) <= protocol.most_judgments
    assert (settled.first_tally is None) == (len(slots) == first)
    by_time = [slot.label for slot in sorted(slots, key=lambda slot: (slot.at, slot.id))]
    assert settled.first_tally in (None, decide(by_time[:first], protocol).tally)


def expected(protocol, error):
    """The shares of pairs kept and of those right, and votes per pair, by exact recursion."""
    states, kept, right, votes = {(0, 0): 1.0}, 0.0, 0.0, 0.0
    while states:
        (wrong, correct), share = states.popitem()
        decision = decide_tally((wrong, correct), protocol)
        if decision.decided:
            votes += share * (wrong + correct)
            kept += share * decision.kept
            right += share * (decision.label == 1)
            continue
        for state, part in (((wrong + 1, correct), error), ((wrong, correct + 1), 1 - error)):
            states[state] = states.get(state, 0.0) + share * part
    return kept, right / kept, votes


@pytest.mark.parametrize(
    ("numbers", "figures", "of_hard"),
    [
        ((5, 4, None), (0.946, 0.9998, 5), (0.876, 0.9906, 5)),
        ((5, 4, 7), (0.988, 0.9998, 5.11), (0.937, 0.9876, 5.25)),
        ((3, 3, 7), (0.989, 0.9993, 3.54), (0.943, 0.9848, 3.80)),
    ],
)
def test_more_votes_keep_more_pairs_as_calculated(numbers, figures, of_hard):
    people, votes, most = numbers
    protocol = Protocol(people, votes, judgments_at_most=most)
    easy, hard = expected(protocol, 0.08), expected(protocol, 0.35)
    assert easy == pytest.approx(figures, rel=0.01)
    kept = 0.85 * easy[0] + 0.15 * hard[0]
    right = (0.85 * easy[0] * easy[1] + 0.15 * hard[0] * hard[1]) / kept
    assert (kept, right, 0.85 * easy[2] + 0.15 * hard[2]) == pytest.approx(of_hard, rel=0.01)


def test_of_pairs_that_a_lead_of_three_keeps_as_many_are_right_as_the_lead_says():
    _, right, _ = expected(Protocol(3, 3, judgments_at_most=15), 0.08)
    assert right == pytest.approx(1 / (1 + (0.08 / 0.92) ** 3), abs=5e-5)
    assert round(right, 4) == 0.9993
