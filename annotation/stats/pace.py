"""The pace of a study, and a forecast of its end as a range."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt

HOUR, DAY = 3600, 24 * 3600
# People sleep and have weekends, so measure whole days, and a whole week if possible.
MOST_DAYS, FEWEST_DAYS = 7, 3
STRETCHES, SHORTEST = 6, 600
# Student's t for 95 %, two-tailed, from 2 degrees of freedom on.
T95 = (4.3027, 3.1824, 2.7764, 2.5706, 2.4469)


@dataclass(frozen=True, slots=True)
class Window:
    """The period up to now over which pace is measured: equal stretches, and the length of each."""

    stretches: int
    seconds: int

    @property
    def is_of_days(self) -> bool:
        """Whether each stretch is a full day."""
        return self.seconds == DAY

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


def forecast(answers: Sequence[int], window: Window, *, left: int) -> Forecast | None:
    """Forecast from the answers in each stretch, latest first, and the number of answers left.

    The range follows from the t-interval of the mean stretch. None if nothing is left, or if the
    latest stretch has no answers.

    >>> forecast([24, 24, 24], Window(3, DAY), left=48)
    Forecast(per_hour=1.0, soonest=48.0, latest=48.0)

    Raises ValueError unless there is one number for each stretch.
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
