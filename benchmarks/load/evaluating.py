"""People judge while the evaluator fits models to a release: how much later do replies come?"""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from subprocess import Popen
from typing import Any

import psutil

from benchmarks.load import crowd
from benchmarks.load.crowd import Load, Outcome
from benchmarks.table import Figure, Goal, at_most
from support.person import Habits
from support.services.installation import Installation
from support.services.sites import Servers

# The share by which replies may come later (95th percentile).
LATER = 1.2
# More fits than there is time for.
SEEDS, MODELS = 2_000, ("bilstm", "esim")
RELEASED = Load("Released", people=20, pairs=200, habits=Habits(pace=(0.0, 0.2)))
# More than can be judged during all turns, so that there are replies in the last one too.
JUDGED = Load("Judged meanwhile", people=20, pairs=1_000, habits=Habits(pace=(1, 2)))
TURNS, SHORT_TURNS = 30, 2
# Shorter than a lease, so that a paused evaluator keeps its work.
TURN_SECONDS = 5.0
# Replies at the beginning of a turn are of neither kind.
SETTLING = 0.5
# The evaluator gives way to everything else, so it starts slowly on a busy machine.
PATIENCE = 300.0


@dataclass
class Turns:
    """Pauses the evaluator every other turn, so that what else the machine does is in both kinds.

    `paused` and `working` have the begin and end of each turn; `worked` are the evaluator's
    processor seconds.
    """

    evaluator: Popen[str]
    number: int
    paused: list[tuple[float, float]] = field(default_factory=list)
    working: list[tuple[float, float]] = field(default_factory=list)
    worked: float = 0.0

    def __call__(self, _acknowledged: Callable[[], int]) -> None:
        process = psutil.Process(self.evaluator.pid)
        cpu_before = sum(process.cpu_times()[:2])
        for _ in range(self.number):
            for sent_signal, intervals in (
                (signal.SIGSTOP, self.paused),
                (signal.SIGCONT, self.working),
            ):
                self.evaluator.send_signal(sent_signal)
                began = time.perf_counter()
                time.sleep(TURN_SECONDS)
                intervals.append((began + SETTLING, time.perf_counter()))
        self.worked = sum(process.cpu_times()[:2]) - cpu_before


def figures(on: Servers, *, short: bool) -> list[Figure]:
    """A study judged by twenty people, while the evaluator is paused and at work by turns."""
    released, judged = (load.shortened() if short else load for load in (RELEASED, JUDGED))
    crowd.put_load(on, released)
    evaluation = _request_evaluation(released.name)
    with _start_evaluator(evaluation) as process:
        turns = Turns(process, SHORT_TURNS if short else TURNS)
        outcome = crowd.put_load(on, judged, meanwhile=turns)
        evaluation.refresh_from_db()
        if evaluation.state != evaluation.State.UNDER_WAY:
            raise ValueError("The evaluator was done before the people: give it more seeds.")
    working = sum(end - begin for begin, end in turns.working)
    return [
        Figure("5xx", outcome.server_errors, goal=at_most(0)),
        Figure("processor seconds of the evaluator a second", turns.worked / working),
        *([] if short else (_delay_figure(outcome, turns, percent) for percent in (50, 95))),
    ]


def _delay_figure(outcome: Outcome, turns: Turns, percent: int) -> Figure:
    """A percentile of replies while the evaluator works; that of the others is the reference."""
    paused_ms, working_ms = (
        _replies_within(outcome, intervals).percentile_ms(percent)
        for intervals in (turns.paused, turns.working)
    )
    goal: Goal | None = at_most(LATER, of_ratio=True) if percent > 50 else None
    return Figure(f"p{percent}", working_ms, "ms", paused_ms, goal)


def _replies_within(outcome: Outcome, turns: list[tuple[float, float]]) -> Outcome:
    """Return the outcome with only the replies that were asked for in one of the turns."""
    timed = zip(outcome.sent, outcome.seconds, strict=True)
    seconds = [each for at, each in timed if any(begin <= at <= end for begin, end in turns)]
    return replace(outcome, seconds=seconds)


def _request_evaluation(name: str) -> Any:
    """An evaluation of a release of this project's pairs, which waits for the evaluator."""
    from annotation.models import Project
    from evaluation import services as evaluations
    from releases.selectors.releases import folder_of
    from releases.services import publication
    from support.studies import freeze_version

    release = freeze_version(Project.objects.get(name=name), version="1.0")
    folder_of(release).parent.mkdir(parents=True)
    publication.write_files(release, folder_of(release))
    return evaluations.request(
        release, experiment="plain", model_names=MODELS, seeds=SEEDS, by=None
    )


@contextmanager
def _start_evaluator(evaluation: Any) -> Iterator[Popen[str]]:
    """The evaluator as scripts/run starts it, from its first fit on."""
    home = Installation(
        os.environ["DATABASE_URL"],
        Path(os.environ["PAWSMITH_DATA_DIR"]),
        {**os.environ, "OMP_NUM_THREADS": "1"},
    )
    process = home.start("worker", "--evaluations")
    try:
        until = time.monotonic() + PATIENCE
        while not evaluation.done:
            if time.monotonic() > until:
                raise TimeoutError(f"No fit began within {PATIENCE:.0f} seconds.")
            time.sleep(0.5)
            evaluation.refresh_from_db()
            if evaluation.failure:
                raise ValueError(f"The evaluation failed: {evaluation.failure}")
        yield process
    finally:
        home.stop()
