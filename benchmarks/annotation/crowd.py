"""A crowd at work, and what it cost."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import quantiles

from benchmarks.annotation.annotator import Annotator, work_together
from benchmarks.annotation.house import House

TURNS = 6


@dataclass(frozen=True, slots=True)
class Stretch:
    """What was measured while people worked: seconds of each answer, and CPU seconds in all."""

    seconds: list[float]
    wall: float
    web: float
    database: float

    @property
    def per_second(self) -> float:
        return len(self.seconds) / self.wall

    @property
    def cpu_ms(self) -> float:
        return 1000 * (self.web + self.database) / len(self.seconds)

    def percentile_ms(self, percent: int) -> float:
        return 1000 * quantiles(self.seconds, n=100)[percent - 1]


def measure(house: House, people: Sequence[Annotator], *, seconds: float) -> Stretch:
    """Let people who have opened their pages work for so long.

    Raises RuntimeError with what they met when nobody could answer twice.
    """
    answers_before = [len(person.seconds) for person in people]
    (web, database), began = house.cpu(), time.perf_counter()
    work_together(people, seconds=seconds)
    wall_seconds = time.perf_counter() - began
    web_after, database_after = house.cpu()
    answers = [
        answer
        for person, number in zip(people, answers_before, strict=True)
        for answer in person.seconds[number:]
    ]
    if len(answers) < 2:
        raise RuntimeError([error for person in people for error in person.errors])
    return Stretch(answers, wall_seconds, web_after - web, database_after - database)


def measure_in_turns(
    house: House, crowd: Sequence[Annotator], others: Sequence[Annotator], *, seconds: float
) -> tuple[Stretch, Stretch]:
    """Both in short turns, so that whatever else the machine does falls on both alike."""
    turns = [
        [measure(house, people, seconds=seconds / TURNS) for people in (crowd, others)]
        for _ in range(TURNS)
    ]
    first, second = zip(*turns, strict=True)
    return _join(first), _join(second)


def _join(stretches: Sequence[Stretch]) -> Stretch:
    """Several stretches as one."""
    return Stretch(
        [seconds for stretch in stretches for seconds in stretch.seconds],
        sum(stretch.wall for stretch in stretches),
        sum(stretch.web for stretch in stretches),
        sum(stretch.database for stretch in stretches),
    )
