"""People judge while the evaluator fits models to a release: how much later do replies come?"""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

from benchmarks.load import crowd
from benchmarks.load.crowd import Load
from benchmarks.load.turns import Turns, delay_figure
from benchmarks.table import Figure, at_most
from support.person import Habits
from support.services.installation import Installation
from support.services.sites import Servers

# More fits than there is time for.
SEEDS, MODELS = 2_000, ("bilstm", "esim")
RELEASED = Load("Released", people=20, pairs=200, habits=Habits(pace=(0.0, 0.2)))
# More than can be judged during all turns, so that there are replies in the last one too.
JUDGED = Load("Judged meanwhile", people=20, pairs=1_000, habits=Habits(pace=(1, 2)))
TURNS, SHORT_TURNS = 30, 2
# The evaluator gives way to everything else, so it starts slowly on a busy machine.
PATIENCE = 300.0


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
    return [
        Figure("5xx", outcome.server_errors, goal=at_most(0)),
        Figure("processor seconds of the evaluator a second", turns.worked / turns.working_seconds),
        *([] if short else (delay_figure(outcome, turns, percent) for percent in (50, 95))),
    ]


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
