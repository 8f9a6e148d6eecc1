"""How fast a study goes, and when it will be done if it goes on like that: a range, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

HOUR, DAY = 3600, 24 * 3600
# People sleep and have weekends: only whole days, and at best a whole week, say how long it takes.
MOST_DAYS, FEWEST_DAYS = 7, 3
STRETCHES, SHORTEST = 6, 600
# Student's t for 95 %, both tails, with 2 degrees of freedom and more.
T95 = (4.3027, 3.1824, 2.7764, 2.5706, 2.4469)


@dataclass(frozen=True, slots=True)
class Window:
    """The time up to now that a pace is measured over: so many stretches of so many seconds."""

    stretches: int
    seconds: int

    @property
    def is_of_days(self) -> bool:
        """Whether each stretch holds a day and a night."""
        return self.seconds == DAY

    @property
    def total(self) -> int:
        """In seconds."""
        return self.stretches * self.seconds


@dataclass(frozen=True, slots=True)
class Forecast:
    """Answers an hour, pauses included, and the hours that the rest takes at that pace.

    `latest` is None where the pace is so unsteady that it may as well come to a halt.
    """

    per_hour: float
    soonest: float
    latest: float | None


def window(seconds: float) -> Window | None:
    """Where to measure in a study that has gone on for so long; None in its first hour.

    The last whole days, seven at most, from the third on; before that, all of it in six parts.
    """
    if seconds >= FEWEST_DAYS * DAY:
        return Window(min(int(seconds // DAY), MOST_DAYS), DAY)
    if seconds < STRETCHES * SHORTEST:
        return None
    return Window(STRETCHES, ceil(seconds / STRETCHES))


def forecast(answers: Sequence[int], window: Window, *, left: int) -> Forecast | None:
    """From the answers in each stretch, the latest first, and how many are left to be given.

    The range is what the t-interval of the mean stretch allows. None when nothing is left, or
    when the latest stretch saw no answer: nobody is at work.

    >>> forecast([24, 24, 24], Window(3, DAY), left=48)
    Forecast(per_hour=1.0, soonest=48.0, latest=48.0)

    Raises ValueError unless there is a number for each stretch.
    """
    if len(answers) != window.stretches:
        raise ValueError(f"{len(answers)} numbers are not one for each of {window.stretches}")
    if not left or not answers[0]:
        return None
    mean = sum(answers) / len(answers)
    half = _half_width(answers, mean)
    hours = window.seconds / HOUR
    return Forecast(
        per_hour=mean / hours,
        soonest=left / (mean + half) * hours,
        latest=left / (mean - half) * hours if half < mean else None,
    )


def _half_width(answers: Sequence[int], mean: float) -> float:
    freedom = len(answers) - 1
    variance = sum((each - mean) ** 2 for each in answers) / freedom
    return T95[freedom - 2] * sqrt(variance / len(answers))
