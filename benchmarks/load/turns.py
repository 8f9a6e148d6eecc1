"""A process that is paused every other turn, and what its work does to the replies of pages."""

import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from subprocess import Popen

import psutil

from benchmarks.load.crowd import Outcome
from benchmarks.table import Figure, Goal, at_most

# The share by which replies may come later (95th percentile).
LATER = 1.2
# Shorter than a lease or a timeout, so that a paused process keeps its work.
TURN_SECONDS = 5.0
# Replies at the beginning of a turn are of neither kind.
SETTLING = 0.5


@dataclass
class Turns:
    """Pauses a process every other turn, so that what else the machine does is in both kinds.

    `paused` and `working` have the begin and end of each turn; `worked` are the processor seconds
    of the process.
    """

    process: Popen[str]
    number: int
    paused: list[tuple[float, float]] = field(default_factory=list)
    working: list[tuple[float, float]] = field(default_factory=list)
    worked: float = 0.0

    def __call__(self, _acknowledged: Callable[[], int]) -> None:
        process = psutil.Process(self.process.pid)
        cpu_before = sum(process.cpu_times()[:2])
        for _ in range(self.number):
            for sent_signal, intervals in (
                (signal.SIGSTOP, self.paused),
                (signal.SIGCONT, self.working),
            ):
                self.process.send_signal(sent_signal)
                began = time.perf_counter()
                time.sleep(TURN_SECONDS)
                intervals.append((began + SETTLING, time.perf_counter()))
        self.worked = sum(process.cpu_times()[:2]) - cpu_before

    @property
    def working_seconds(self) -> float:
        return sum(end - begin for begin, end in self.working)


def delay_figure(outcome: Outcome, turns: Turns, percent: int) -> Figure:
    """A percentile of replies while the process works; that of the others is the reference."""
    paused_ms, working_ms = (
        _replies_within(outcome, intervals).percentile_ms(percent)
        for intervals in (turns.paused, turns.working)
    )
    goal: Goal | None = at_most(LATER, of_ratio=True) if percent > 50 else None
    return Figure(f"p{percent}", working_ms, "ms", paused_ms, goal)


def _replies_within(outcome: Outcome, turns: list[tuple[float, float]]) -> Outcome:
    """Return the outcome with only the replies that were asked for in one of the turns."""
    timed = zip(outcome.sent, outcome.seconds, strict=True)
    seconds = [reply for at, reply in timed if any(begin <= at <= end for begin, end in turns)]
    return replace(outcome, seconds=seconds)
