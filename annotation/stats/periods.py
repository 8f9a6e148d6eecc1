"""Time divided into equal periods, few enough for a chart."""

from dataclasses import dataclass

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
LENGTHS = (10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY)
MOST = 32
# Monday, 5 January 1970: weeks begin on Mondays.
FIRST_MONDAY = 4 * DAY


@dataclass(frozen=True, slots=True)
class Periods:
    """Consecutive periods: start (seconds since 1970), length in seconds, and number."""

    start: int
    length: int
    number: int

    def begins(self, number: int) -> int:
        """Return the start of a period, counted from 0, in seconds since 1970."""
        return self.start + number * self.length

    def ends(self, number: int) -> int:
        """Return the end of a period, in seconds since 1970."""
        return self.begins(number + 1)


def covering(first: int, last: int, *, offset: int = 0) -> Periods:
    """Return periods from `first` to `last` (seconds since 1970), at most MOST if possible.

    Uses the shortest of LENGTHS that fits, or the longest. Periods begin at full hours, days and
    weeks of a clock `offset` seconds ahead of UTC.
    """
    for length in LENGTHS:
        periods = _of(length, first, last, offset)
        if periods.number <= MOST:
            return periods
    return _of(LENGTHS[-1], first, last, offset)


def _of(length: int, first: int, last: int, offset: int) -> Periods:
    origin = FIRST_MONDAY - offset
    start = first - (first - origin) % length
    return Periods(start, length, (last - start) // length + 1)
