"""Where a slot stands in its queue: people are given the lowest key beyond their place.

Three bands lie one after the other: priority 1, priority 0, priority -1. Within a band the keys are
those of the project's order. Depth: a pair's slots stand together, pairs by age. Breadth: a slot's
key is the moment at which it enters the queue, so what is new is never behind anybody.
"""

from datetime import UTC, datetime, timedelta

# Room for the slots of one pair between the keys of two.
KEYS_PER_PAIR = 128
# From one band to the next. Ids times KEYS_PER_PAIR and moments up to the year 2255 are below it.
BAND = 2**60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def in_depth(pair: int, slot: int, *, priority: int = 0) -> int:
    """The key of a slot where each pair is finished before the next is begun."""
    return pair * KEYS_PER_PAIR + slot - priority * BAND


def in_breadth(moment: datetime, pair: int, *, ahead: int = 0, priority: int = 0) -> int:
    """The key of a slot that enters the queue at a moment, behind `ahead` others of that moment."""
    microseconds = (moment - _EPOCH) // timedelta(microseconds=1)
    return (microseconds + ahead) * KEYS_PER_PAIR + pair % KEYS_PER_PAIR - priority * BAND


def of_candidate(candidate: int, *, priority: int = 0) -> int:
    """The key of the correction of a candidate, in either order: candidates by age."""
    return candidate - priority * BAND


def shift(before: int, after: int) -> int:
    """What is added to a key when the priority of its item changes."""
    return (before - after) * BAND
