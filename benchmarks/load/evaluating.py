"""People judge while the evaluator fits models to a release: how much later do replies come?"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.load import crowd
from benchmarks.load.crowd import Load, Outcome
from benchmarks.load.person import Habits
from benchmarks.load.servers import PATIENCE, Servers
from benchmarks.services.installation import Installation
from benchmarks.table import Figure, Goal, at_most

# The share by which replies may come later (95th percentile).
LATER = 1.2
HABITS = Habits(pace=(1, 2))
# More fits than there is time for.
SEEDS, MODELS = 100, ("bilstm", "esim")
ROUNDS = 2
# An evaluation counts hundredths of a fit.
STEPS = 100


def figures(on: Servers, *, short: bool) -> list[Figure]:
    """Studies judged by twenty people, in turn alone and while the evaluator is at work."""
    alone, beside, fits = [], [], 0.0
    for number in range(1 if short else ROUNDS):
        alone.append(_judged(on, f"Alone {number}", short=short))
        evaluation = _requested(f"Alone {number}")
        with _evaluator(evaluation):
            beside.append(_judged(on, f"Beside {number}", short=short))
        if evaluation.state != evaluation.State.UNDER_WAY:
            raise ValueError("The evaluator was done before the people: give it more seeds.")
        fits += evaluation.done / STEPS
    errors = sum(outcome.server_errors for outcome in [*alone, *beside])
    return [
        Figure("5xx", errors, goal=at_most(0)),
        Figure("fits done meanwhile", fits),
        *(_later(alone, beside, percent, short=short) for percent in (50, 95)),
    ]


def _judged(on: Servers, name: str, *, short: bool) -> Outcome:
    load = Load(name, people=20, pairs=400, habits=HABITS)
    return crowd.put(on, load.shortened() if short else load)


def _later(alone: list[Outcome], beside: list[Outcome], percent: int, *, short: bool) -> Figure:
    """A percentile of all replies, with that of those who judged alone as the reference."""
    quiet, busy = (
        replace(some[0], seconds=[each for one in some for each in one.seconds])
        for some in (alone, beside)
    )
    goal: Goal | None = None
    if percent > 50 and not short:
        goal = at_most(LATER, of_ratio=True)
    return Figure(
        f"p{percent}", busy.percentile_ms(percent), "ms", quiet.percentile_ms(percent), goal
    )


def _requested(name: str) -> Any:
    """An evaluation of a release of this project's pairs, which waits for the evaluator."""
    from annotation.models import Project
    from evaluation import services as evaluations
    from releases import services as releases
    from releases.selectors.releases import folder_of

    release = releases.freeze(Project.objects.get(name=name), version="1.0")
    folder_of(release).parent.mkdir(parents=True)
    releases.write(release, folder_of(release))
    return evaluations.request(release, experiment="plain", names=MODELS, seeds=SEEDS, by=None)


@contextmanager
def _evaluator(evaluation: Any) -> Iterator[None]:
    """The evaluator as scripts/run starts it, from its first fit on."""
    home = Installation(
        os.environ["DATABASE_URL"],
        Path(os.environ["PAWSMITH_DATA_DIR"]),
        {**os.environ, "OMP_NUM_THREADS": "1"},
    )
    home.start("worker", "--evaluations")

    def fits() -> bool:
        evaluation.refresh_from_db()
        if evaluation.failure:
            raise ValueError(f"The evaluation failed: {evaluation.failure}")
        return bool(evaluation.done)

    try:
        until = time.monotonic() + PATIENCE
        while not fits():
            if time.monotonic() > until:
                raise TimeoutError(f"No fit began within {PATIENCE:.0f} seconds.")
            time.sleep(0.5)
        yield
        fits()
    finally:
        home.stop()
