"""People judge while a worker imports and asks a model: do replies of pages come later?

The model is the stand-in of the tests. It is paused every other turn; imports go on in all turns.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen
from typing import Any

from benchmarks.load import crowd
from benchmarks.load.crowd import Load
from benchmarks.load.turns import Turns, delay_figure
from benchmarks.table import Figure, at_least, at_most
from support.person import Habits
from support.places import ROOT
from support.services.installation import Installation
from support.services.sites import Servers

# More than can be judged, and rewritten, during all turns.
JUDGED = Load("Judged meanwhile", people=20, pairs=1_000, habits=Habits(pace=(1, 2)))
REWRITTEN = 20_000
# With 16 requests at once, at most 32 replies a second.
REPLY_SECONDS = 0.5
IMPORTED = 2_000
TURNS, SHORT_TURNS = 30, 2
PATIENCE = 120.0


def figures(on: Servers, *, short: bool) -> list[Figure]:
    """A study judged by twenty people beside imports, and a run whose model answers by turns."""
    with _start_stand_in() as (stand_in, address), _start_worker(address):
        run = _start_run()
        _wait_until(lambda: _replies(run) > 0)
        turns = Turns(stand_in, SHORT_TURNS if short else TURNS)
        with _imports() as seconds:
            before = _replies(run)
            outcome = crowd.put_load(on, JUDGED.shortened() if short else JUDGED, meanwhile=turns)
            replies = _replies(run) - before
        if _state_of(run) != run.State.RUNNING:
            raise ValueError(f"The run is {run.state} too early. {run.paused_because}")
    return [
        Figure("5xx", outcome.server_errors, goal=at_most(0)),
        Figure("replies of the model", replies, goal=at_least(1)),
        Figure(f"imports of {IMPORTED:,} sentences", len(seconds), goal=at_least(1)),
        Figure("slowest import", max(seconds, default=0), "s"),
        *([] if short else (delay_figure(outcome, turns, percent) for percent in (50, 95))),
    ]


@contextmanager
def _start_stand_in() -> Iterator[tuple[Popen[str], str]]:
    command = [sys.executable, "-m", "tests.endpoint_server", "--seconds", str(REPLY_SECONDS)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process, next(iter(process.stdout or ())).strip()
        finally:
            process.kill()


@contextmanager
def _start_worker(address: str) -> Iterator[None]:
    """The worker as scripts/run starts it, here and there with this endpoint."""
    from django.conf import settings

    folder = Path(os.environ["PAWSMITH_DATA_DIR"])
    file = folder / "endpoints.toml"
    file.write_text(f'[local]\naddress = "{address}"\n[local.models.small]\n')
    settings.ENDPOINTS_FILE = str(file)
    environment = {**os.environ, "PAWSMITH_ENDPOINTS": str(file)}
    home = Installation(os.environ["DATABASE_URL"], folder, environment)
    home.start("worker")
    try:
        yield
    finally:
        home.stop()


def _start_run() -> Any:
    """A run that asks the model once for each sentence: it gives the same answer each time."""
    from django.core.management import call_command

    from annotation.projects.services import projects
    from annotation.runs import services as runs
    from generation.models import Corpus

    project = projects.create("Rewritten meanwhile")
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("".join(_sentences("rewritten", REWRITTEN)))
        file.flush()
        call_command("import_sentences", file.name, corpus="rewritten", verbosity=0)
    corpora = [Corpus.objects.get(name="rewritten")]
    settings = {"generator": "local:small", "samples": 1}
    [run] = runs.start(project, corpora, method="prompted", settings=settings)
    return run


def _sentences(name: str, number: int) -> Iterator[str]:
    for place in range(number):
        yield f"In {name} {place} the old baker met the young pilot on the bridge.\n"


def _replies(run: Any) -> int:
    from generation.models import Reply

    return Reply.objects.filter(spent_by=run.public_id).count()


@contextmanager
def _imports() -> Iterator[list[float]]:
    """One import after another, until the end; yields the seconds of each that is done."""
    from annotation.projects.services import projects
    from generation.models import Corpus

    project = projects.create("Imported meanwhile")
    corpus = Corpus.objects.create(name="imported", language="en")
    over, seconds = threading.Event(), list[float]()
    thread = threading.Thread(target=_import_until, args=(over, project, corpus, seconds))
    thread.start()
    try:
        yield seconds
    finally:
        over.set()
        thread.join()


def _import_until(over: threading.Event, project: Any, corpus: Any, seconds: list[float]) -> None:
    from django.db import connection

    try:
        while not over.is_set():
            began = time.perf_counter()
            _import_file(project, corpus, name=f"file {len(seconds)}")
            seconds.append(time.perf_counter() - began)
    finally:
        connection.close()


def _import_file(project: Any, corpus: Any, *, name: str) -> None:
    """Upload a file and import it, as the page does."""
    from annotation.imports.services import uploads

    data = "".join(_sentences(name, IMPORTED)).encode()
    row = uploads.create(
        project, kind="sentences", name=f"{name}.txt", size=len(data), chunks=[data], by=None
    )
    _wait_until(lambda: _state_of(row) == row.State.DRAFT)
    uploads.start(row, columns=row.columns, options={}, corpus=corpus, by=None)
    _wait_until(lambda: _state_of(row) == row.State.DONE)


def _state_of(row: Any) -> str:
    row.refresh_from_db()
    return str(row.state)


def _wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(f"The worker was not so far within {PATIENCE:.0f} seconds.")
        time.sleep(0.2)
