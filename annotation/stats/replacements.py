"""Answers that are held out, and those given in their stead: which of them count.

A pair asks for a number of answers. Each of them may be held out and asked of somebody else, whose
answer may be held out in turn: a line of slots, of which exactly one counts at any time.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot of a pair. `replaces` is the id of the one in whose stead it was issued; it is out
    when its author's answers are held out, and open until it is answered."""

    id: int
    replaces: int | None = None
    is_out: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """What the slots of a pair are to be, by their ids.

    Those that are `aside` were answered in the stead of one that counts again, those that are
    `gone` were not answered yet, and those that are `wanting` lack a replacement.
    """

    counting: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    wanting: list[int] = field(default_factory=list)


def settle(slots: Iterable[Slot]) -> Settlement:
    """In each line of a pair's slots the first that is not out counts: an answer that is put back
    takes its place again.

    >>> settle([Slot(1, is_out=True), Slot(2), Slot(6, replaces=1), Slot(7, replaces=6)])
    Settlement(counting=[6, 2], aside=[7], gone=[], wanting=[])
    """
    settled = Settlement()
    for line in _lines(slots):
        standing = [slot for slot in line if not slot.is_out]
        if not standing:
            settled.wanting.append(line[-1].id)
            continue
        first, *others = standing
        settled.counting.append(first.id)
        for slot in others:
            (settled.gone if slot.is_open else settled.aside).append(slot.id)
    return settled


def close(slots: Iterable[Slot]) -> Settlement:
    """The same of a pair that is decided: nothing more is asked, so every open slot is gone.

    >>> close([Slot(1), Slot(2, is_open=True)])
    Settlement(counting=[1], aside=[], gone=[2], wanting=[])
    """
    every = list(slots)
    settled = settle(slot for slot in every if not slot.is_open)
    return replace(settled, gone=[slot.id for slot in every if slot.is_open])


def _lines(slots: Iterable[Slot]) -> list[list[Slot]]:
    """Each slot that was there from the beginning, with its replacements in order."""
    every = list(slots)
    following = {slot.replaces: slot for slot in every if slot.replaces is not None}
    lines = [[slot] for slot in every if slot.replaces is None]
    for line in lines:
        while replacement := following.get(line[-1].id):
            line.append(replacement)
    return lines
