"""The order in which people get items: keys of the queue, and the schedule of gold items.

A person gets the slot with the lowest key above their place.

There are three bands of keys, in the order priority 1, 0, -1. Within a band, keys follow the order
of the project. Depth: the slots of an item are adjacent, older items first. Breadth: the key is the
time at which the slot enters the queue, so a new slot is always ahead of everyone's place.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from annotation.models import Duty
from common.draws import draw

# Keys reserved for the slots of one item.
KEYS_PER_ITEM = 128
# Size of a band. Ids times KEYS_PER_ITEM are smaller than half of it, times up to 2255 than all.
BAND = 2**60
# Added to the key of a slot for one more person in depth: it is after the first slots of all items,
# in the second half of the band.
LATER = 2**59
# Wait after a search behind a person's place found nothing.
BETWEEN_LOOKS = timedelta(minutes=1)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def in_depth(item: int, number: int, *, priority: int = 0) -> int:
    """Return the key of a slot in depth order: each item is finished before the next starts."""
    return item * KEYS_PER_ITEM + number - priority * BAND


def in_breadth(moment: datetime, item: int, *, ahead: int = 0, priority: int = 0) -> int:
    """Return the key of a slot that enters at `moment`, after `ahead` others at that time."""
    microseconds = (moment - _EPOCH) // timedelta(microseconds=1)
    return (microseconds + ahead) * KEYS_PER_ITEM + item % KEYS_PER_ITEM - priority * BAND


def shift(before: int, after: int) -> int:
    """Return the difference to add to a key when the priority of its item changes."""
    return (before - after) * BAND


@dataclass(frozen=True, slots=True)
class Schedule:
    """One answer in `every` is of a gold item, at a position that `drawn` decides."""

    every: int
    drawn: int

    def next_after(self, answers: int, gold_after: int | None) -> int:
        """Return the number of answers after which the next gold item is due."""
        # In the block after that of `answers`; the first one in the first whole block.
        block = -(-answers // self.every) if gold_after is None else answers // self.every + 1
        return block * self.every + self.drawn % self.every


def schedule_of(duty: Duty) -> Schedule | None:
    """Return the schedule; its draw changes with each block, where `gold_after` differs."""
    project = duty.membership.project
    if project.gold_every is None:
        return None
    key = f"{duty.membership_id} {duty.gold_after}"
    return Schedule(project.gold_every, draw(project.seed, "gold items", key) >> 1)
