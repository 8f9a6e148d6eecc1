"""Many people at once until a study is judged, while somebody may pull plugs."""

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from statistics import quantiles
from typing import Any

from support import imported_study
from support.person import SERVER_ERROR, Habits, Person
from support.services.sites import Servers

LOOK = 1.0
Meanwhile = Callable[[Callable[[], int]], None]


@dataclass(frozen=True, slots=True)
class Load:
    """So many people with the same habits, until each of so many pairs has its five judgments."""

    name: str
    people: int
    pairs: int
    habits: Habits
    # Seconds after which it is given up.
    most: float = 1500.0

    def shortened(self) -> "Load":
        """A load of seconds, with people who do not wait."""
        hurrying = replace(self.habits, pace=(0.0, 0.2))
        return replace(self, people=10, pairs=40, habits=hurrying)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a load: judgments, wall-clock seconds, and what went wrong."""

    load: Load
    judgments: int
    wall: float
    seconds: list[float]
    sent: list[float]
    statuses: Counter[int]
    unlike: int
    left: int
    faults: list[str]

    @property
    def server_errors(self) -> int:
        return sum(number for status, number in self.statuses.items() if status >= SERVER_ERROR)

    def percentile_ms(self, percent: int) -> float:
        return 1000 * quantiles(self.seconds, n=100)[percent - 1]


def put_load(servers: Servers, load: Load, *, meanwhile: Meanwhile | None = None) -> Outcome:
    """Put a load on the servers. `meanwhile` is called once everybody works, and can look how many
    judgments have been acknowledged.

    Raises TimeoutError when the study is not judged in time.
    """
    project = imported_study.make(load.name, pairs=load.pairs)
    sessions = imported_study.sign_in(project, people=load.people)
    page = f"/projects/{project.public_id}/judge/"
    crowd = [
        Person(servers.door, page, session, number, load.habits)
        for number, session in enumerate(sessions)
    ]
    began = time.perf_counter()
    with _work_in_threads(crowd) as over:
        if meanwhile is not None:
            meanwhile(lambda: sum(len(person.ledger) for person in crowd))
        _wait(project, crowd, over, load)
        wall_seconds = time.perf_counter() - began
    return Outcome(
        load,
        imported_study.answered(project),
        wall_seconds,
        [value for person in crowd for value in person.seconds],
        [value for person in crowd for value in person.sent],
        sum((person.statuses for person in crowd), Counter()),
        sum(person.unlike for person in crowd),
        sum(len(person.left) for person in crowd),
        imported_study.faults(
            project,
            [person.ledger for person in crowd],
            forgotten=sum(len(person.forgotten) for person in crowd),
        ),
    )


@contextmanager
def _work_in_threads(crowd: Sequence[Person]) -> Iterator[threading.Event]:
    """Everybody in a thread of their own, until the event is set."""
    over = threading.Event()
    threads = [threading.Thread(target=person.work, args=[over], daemon=True) for person in crowd]
    for thread in threads:
        thread.start()
    try:
        yield over
    finally:
        over.set()
        for thread in threads:
            thread.join(60)


def _wait(project: Any, crowd: Sequence[Person], over: threading.Event, load: Load) -> None:
    until = time.monotonic() + load.most
    while imported_study.answered(project) < load.pairs * imported_study.SLOTS:
        if time.monotonic() > until:
            raise TimeoutError(
                f"{load.name}: {imported_study.answered(project)} judgments in {load.most} s"
            )
        if load.habits.abandoned:
            imported_study.expire_leases(project, [person.left for person in crowd])
        over.wait(LOOK)
