"""Which slot of each line counts, whatever is set aside and put back."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.replacements import Settlement, Slot, close, settle


def test_one_slot_of_each_line_counts():
    for what, slots, settled in (
        ("all count", [Slot(1), Slot(2, is_open=True)], Settlement([1, 2])),
        ("one lacks a replacement", [Slot(1, is_out=True), Slot(2)], Settlement([2], wanting=[1])),
        (
            "one is replaced",
            [Slot(1, is_out=True), Slot(2), Slot(6, replaces=1, is_open=True)],
            Settlement([6, 2]),
        ),
        (
            "the replacement is out as well",
            [Slot(1, is_out=True), Slot(6, replaces=1, is_out=True)],
            Settlement(wanting=[6]),
        ),
        (
            "put back before the replacement was answered",
            [Slot(1), Slot(6, replaces=1, is_open=True)],
            Settlement([1], gone=[6]),
        ),
        (
            "put back after the replacement was answered",
            [Slot(1), Slot(6, replaces=1), Slot(7, replaces=6, is_open=True)],
            Settlement([1], aside=[6], gone=[7]),
        ),
    ):
        assert settle(slots) == settled, what


def test_of_a_decided_pair_every_open_slot_goes():
    slots = [Slot(1), Slot(2, is_open=True), Slot(3, is_out=True), Slot(6, replaces=3)]
    assert close(slots) == Settlement(counting=[1, 6], gone=[2])


@st.composite
def pairs(draw):
    """Slots of a pair, some of which replace others, in any order."""
    asked = draw(st.integers(1, 5))
    slots = [Slot(number, is_out=draw(st.booleans())) for number in range(1, asked + 1)]
    for _ in range(draw(st.integers(0, 6))):
        taken = {slot.replaces for slot in slots}
        replaced = draw(st.sampled_from([slot.id for slot in slots if slot.id not in taken]))
        slots.append(Slot(len(slots) + 1, replaced, draw(st.booleans()), draw(st.booleans())))
    return asked, draw(st.permutations(slots))


@given(pairs())
def test_each_answer_that_is_asked_for_counts_once_or_is_wanting(pair):
    asked, slots = pair
    settled = settle(slots)
    assert len(settled.counting) + len(settled.wanting) == asked
    out = {slot.id for slot in slots if slot.is_out}
    rest = {slot.id for slot in slots} - out
    assert sorted(rest) == sorted(settled.counting + settled.aside + settled.gone)
