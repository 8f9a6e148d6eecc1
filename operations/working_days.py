"""Three weeks of work by simulated people, in a minute: the demonstration's course of a study."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from random import Random
from unittest.mock import patch

from django.utils import timezone

from annotation.work.simulation import SimulatedAnnotator

WEEKS = 3
FIRST_HOUR = time(9)
# How many people work on a day, one after the other, and the most answers that each gives.
FEWEST_PEOPLE, MOST_PEOPLE, ANSWERS = 2, 5, 48
# Between two answers of a person, in seconds: longer than nearly all take.
SHORTEST, LONGEST = 30.0, 75.0


class Clock:
    """The time that everything in this process sees while it is `set_back`."""

    def __init__(self, day: date) -> None:
        self.start(day)

    def start(self, day: date) -> None:
        self.moment = timezone.make_aware(datetime.combine(day, FIRST_HOUR))

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    def now(self) -> datetime:
        return self.moment

    @contextmanager
    def set_back(self) -> Iterator[None]:
        """Let this process, which does nothing else, believe that it is this time."""
        # Columns that are filled when a row is created ask the same function as services do. A
        # clock that all of them are given would have one caller: the demonstration.
        with patch.object(timezone, "now", self.now):
            yield


def before_today() -> list[date]:
    """Return the days from Monday to Friday of the weeks before today."""
    today = timezone.localdate()
    days = (today - timedelta(days=number) for number in range(7 * WEEKS, 0, -1))
    return [day for day in days if day.isoweekday() <= 5]


def work_through(
    people: Sequence[SimulatedAnnotator], day: date, clock: Clock, random: Random
) -> int:
    """Let some of the people work one after the other on a day; return the number of answers."""
    clock.start(day)
    size = min(len(people), random.randint(FEWEST_PEOPLE, MOST_PEOPLE))
    return sum(_work_alone(person, clock, random) for person in random.sample(people, size))


def _work_alone(person: SimulatedAnnotator, clock: Clock, random: Random) -> int:
    answers = 0
    for kind in person.membership.project.kinds:
        while answers < ANSWERS:
            clock.advance(random.uniform(SHORTEST, LONGEST))
            if not person.answer(kind):
                break
            answers += 1
        person.leave(kind)
    return answers
