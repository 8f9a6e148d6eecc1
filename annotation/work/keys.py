"""Queue keys: a person gets the slot with the lowest key above their place.

There are three bands of keys, in the order priority 1, 0, -1. Within a band, keys follow the order
of the project. Depth: the slots of an item are adjacent, older items first. Breadth: the key is the
time at which the slot enters the queue, so a new slot is always ahead of everyone's place.
"""

from datetime import UTC, datetime, timedelta

# Keys reserved for the slots of one item.
KEYS_PER_ITEM = 128
# Size of a band. Ids times KEYS_PER_ITEM, and times up to the year 2255, are smaller.
BAND = 2**60
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
