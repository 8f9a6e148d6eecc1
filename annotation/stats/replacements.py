"""Which answers of a pair count after some are excluded and replaced.

A pair has a number of slots. If an answer is excluded, a replacement is issued, which may be
excluded as well. In each such chain of slots, exactly one counts at any time.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot: excluded (`is_out`), unanswered (`is_open`), the id of the slot it `replaces`."""

    id: int
    replaces: int | None = None
    is_out: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Settlement:
    """The slot ids of a pair, by what is to happen to them.

    `counting` slots count. `aside` were answered as replacements of an answer that counts again,
    `gone` are such replacements without an answer, and `wanting` need a replacement.
    """

    counting: list[int] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    wanting: list[int] = field(default_factory=list)


def settle(slots: Iterable[Slot]) -> Settlement:
    """Let the first slot of each chain that is not excluded count; restored answers count again.

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
    """Settle a pair that is decided: no more answers are needed, so every open slot is gone.

    >>> close([Slot(1), Slot(2, is_open=True)])
    Settlement(counting=[1], aside=[], gone=[2], wanting=[])
    """
    every = list(slots)
    settled = settle(slot for slot in every if not slot.is_open)
    return replace(settled, gone=[slot.id for slot in every if slot.is_open])


def _lines(slots: Iterable[Slot]) -> list[list[Slot]]:
    """Return chains: each original slot, followed by its replacements in order."""
    every = list(slots)
    following = {slot.replaces: slot for slot in every if slot.replaces is not None}
    lines = [[slot] for slot in every if slot.replaces is None]
    for line in lines:
        while replacement := following.get(line[-1].id):
            line.append(replacement)
    return lines
