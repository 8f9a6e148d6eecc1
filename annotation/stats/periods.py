"""Time divided into equal periods, for charts; and the pace of a study, with its end as a range."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import stdev

MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
LENGTHS = (10 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 7 * DAY, 28 * DAY)
MOST = 32
# Monday, 5 January 1970: weeks begin on Mondays.
FIRST_MONDAY = 4 * DAY

# People sleep and have weekends, so measure whole days, and a whole week if possible.
MOST_DAYS, FEWEST_DAYS = 7, 3
STRETCHES, SHORTEST = 6, 600
# Student's t for 95 %, two-tailed, from 2 degrees of freedom on.
T95 = (4.3027, 3.1824, 2.7764, 2.5706, 2.4469)


@dataclass(frozen=True, slots=True)
class Periods:
    """Consecutive periods: start (seconds since 1970), length in seconds, and number."""

    start: int
    length: int
    number: int

    def begins(self, number: int) -> int:
        """Return the start of a period, counted from 0, in seconds since 1970."""
        return self.start + number * self.length


def periods_covering(first: int, last: int, *, offset: int = 0) -> Periods:
    """Return periods from `first` to `last` (seconds since 1970), at most MOST if possible.

    Uses the shortest of LENGTHS that fits, or the longest. Periods begin at full hours, days and
    weeks of a clock `offset` seconds ahead of UTC.
    """
    origin = FIRST_MONDAY - offset
    starts = [(first - (first - origin) % length, length) for length in LENGTHS]
    candidates = [Periods(start, length, (last - start) // length + 1) for start, length in starts]
    return next((periods for periods in candidates if periods.number <= MOST), candidates[-1])


@dataclass(frozen=True, slots=True)
class Window:
    """The period up to now over which pace is measured: equal stretches, and the length of each."""

    stretches: int
    seconds: int

    @property
    def total(self) -> int:
        """The length of the window in seconds."""
        return self.stretches * self.seconds


@dataclass(frozen=True, slots=True)
class Forecast:
    """Answers per hour, pauses included, and the hours left at that pace.

    `latest` is None if the pace is so unsteady that the interval includes zero.
    """

    per_hour: float
    soonest: float
    latest: float | None


def window(seconds: float) -> Window | None:
    """Choose where to measure in a study of this age; None in its first hour.

    From the third day on, the last whole days, at most seven; before that, all of it in six parts.
    """
    if seconds >= FEWEST_DAYS * DAY:
        return Window(min(int(seconds // DAY), MOST_DAYS), DAY)
    if seconds < STRETCHES * SHORTEST:
        return None
    return Window(STRETCHES, ceil(seconds / STRETCHES))


def forecast(answers: Sequence[int], window: Window, *, answers_left: int) -> Forecast | None:
    """Forecast from the answers in each stretch, latest first, and the number of answers left.

    The range follows from the t-interval of the mean stretch. None if nothing is left, or if the
    latest stretch has no answers.

    >>> forecast([24, 24, 24], Window(3, DAY), answers_left=48)
    Forecast(per_hour=1.0, soonest=48.0, latest=48.0)
    """
    if not answers_left or not answers[0]:
        return None
    mean = sum(answers) / len(answers)
    margin = T95[len(answers) - 3] * stdev(answers) / sqrt(len(answers))
    hours = window.seconds / HOUR
    return Forecast(
        per_hour=mean / hours,
        soonest=answers_left / (mean + margin) * hours,
        latest=answers_left / (mean - margin) * hours if margin < mean else None,
    )
