"""Which slot of each line counts, whatever is held out and put back."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.replacements import Settlement, Slot, close, settle


def test_without_anything_held_out_every_slot_counts():
    assert settle([Slot(1), Slot(2, is_open=True)]) == Settlement(counting=[1, 2])


def test_what_is_held_out_wants_a_replacement():
    assert settle([Slot(1, is_out=True), Slot(2)]) == Settlement(counting=[2], wanting=[1])


def test_the_replacement_counts_in_its_stead():
    slots = [Slot(1, is_out=True), Slot(2), Slot(6, replaces=1, is_open=True)]
    assert settle(slots) == Settlement(counting=[6, 2])


def test_a_replacement_that_is_held_out_wants_one_itself():
    slots = [Slot(1, is_out=True), Slot(6, replaces=1, is_out=True)]
    assert settle(slots) == Settlement(wanting=[6])


def test_an_open_replacement_goes_when_the_answer_is_put_back():
    slots = [Slot(1), Slot(6, replaces=1, is_open=True)]
    assert settle(slots) == Settlement(counting=[1], gone=[6])


def test_an_answered_replacement_stands_aside_when_the_answer_is_put_back():
    slots = [Slot(1), Slot(6, replaces=1), Slot(7, replaces=6, is_open=True)]
    assert settle(slots) == Settlement(counting=[1], aside=[6], gone=[7])


def test_of_a_pair_that_is_decided_every_open_slot_goes():
    slots = [Slot(1), Slot(2, is_open=True), Slot(3, is_out=True), Slot(6, replaces=3)]
    assert close(slots) == Settlement(counting=[1, 6], gone=[2])


@st.composite
def pairs(draw):
    """Slots of a pair, some of them in the stead of others, in any order."""
    asked = draw(st.integers(1, 5))
    slots = [Slot(number, is_out=draw(st.booleans())) for number in range(1, asked + 1)]
    for _ in range(draw(st.integers(0, 6))):
        taken = {slot.replaces for slot in slots}
        ends = [slot.id for slot in slots if slot.id not in taken]
        replaced = draw(st.sampled_from(ends))
        slots.append(Slot(len(slots) + 1, replaced, draw(st.booleans()), draw(st.booleans())))
    return asked, draw(st.permutations(slots))


@given(pairs())
def test_each_answer_that_is_asked_for_counts_once_or_is_wanting(pair):
    asked, slots = pair
    settled = settle(slots)
    assert len(settled.counting) + len(settled.wanting) == asked
    out = {slot.id for slot in slots if slot.is_out}
    assert out.isdisjoint(settled.counting + settled.aside + settled.gone)
    rest = {slot.id for slot in slots} - out
    assert sorted(rest) == sorted(settled.counting + settled.aside + settled.gone)
