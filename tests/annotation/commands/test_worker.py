"""manage.py worker, as a process of its own."""

import json
import signal
import subprocess
import time
from threading import Event

import psycopg
import pytest
from django.core.management import call_command

from annotation.management.commands import worker
from generation import methods
from generation.models import GenerationRun
from tests.generation import fake
from tests.services.installation import Installation

START = """
from tests.generation import fake
fake.install()
from django.core.management import call_command
call_command("worker")
"""

NEW_RUN = """
from annotation.services import projects
from tests.generation import fake
fake.install()
run = fake.run(fake.corpus(50), seconds={seconds})
projects.adopt(projects.create("Study"), run)
"""

FOUND = """
import json, time
from annotation.models import Correction
from generation.models import GenerationRun
until = time.monotonic() + {patience}
while Correction.objects.count() < 45 and time.monotonic() < until:
    time.sleep(0.1)
run = GenerationRun.objects.get()
print(json.dumps({{
    "state": run.state,
    "corrections": Correction.objects.count(),
    "done": run.batches.filter(state="done").count(),
    "held": run.batches.exclude(lease=None).count(),
}}))
"""

FIRST_BATCH = """
import time
from generation.models import Batch
while not Batch.objects.filter(state="done").exists():
    time.sleep(0.1)
"""

# What comes before may fail unseen: nobody needs a first sign of life.
SHOWN = "SELECT 1 FROM generation_worker"
CUT_OFF = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def started(installation: Installation) -> subprocess.Popen[str]:
    """A worker that is ready."""
    process = installation.start("shell", "-c", START)
    assert process.stdout is not None
    for line in process.stdout:
        if "ready" in line:
            return process
    raise AssertionError(process.communicate())


def found(installation: Installation, *, patience: float = 0) -> dict[str, object]:
    """What the run and the project hold, once all is taken in or after so many seconds."""
    return dict(json.loads(installation.run(FOUND.format(patience=patience))))


class UntilIdle(Event):
    """Set by whoever waits for it: a worker stops as soon as it finds nothing to do."""

    def wait(self, timeout: float | None = None) -> bool:
        self.set()
        return True


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("options", "states"),
    [
        ([], {"cpu": "done", "gpu": "done"}),
        (["--queue", "cpu"], {"cpu": "done", "gpu": "running"}),
        (["--queue", "gpu"], {"cpu": "running", "gpu": "done"}),
        (["--queue", "cpu", "--queue", "gpu"], {"cpu": "done", "gpu": "done"}),
    ],
)
def test_it_works_the_runs_of_all_queues_or_of_those_it_is_told(
    options: list[str], states: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    monkeypatch.setattr(worker, "_stop_on_signals", UntilIdle)
    corpus = fake.corpus(5)
    for queue in states:
        GenerationRun.objects.filter(pk=fake.run(corpus).pk).update(queue=queue)

    call_command("worker", *options)

    assert dict(GenerationRun.objects.values_list("queue", "state")) == states


def test_it_generates_and_takes_in_what_it_finds(installation: Installation) -> None:
    process = started(installation)
    installation.run(NEW_RUN.format(seconds=0))

    state = found(installation, patience=60)
    assert (state["state"], state["corrections"]) == ("done", 45)
    process.terminate()
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "The worker has stopped." in output


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_finishes_the_batch_that_it_holds(
    installation: Installation, number: signal.Signals
) -> None:
    installation.run(NEW_RUN.format(seconds=2))
    process = started(installation)
    installation.run(FIRST_BATCH)

    process.send_signal(number)
    process.communicate(timeout=30)

    assert process.returncode == 0
    state = found(installation)
    assert state["held"] == 0
    assert 1 <= int(str(state["done"])) < 10


@pytest.mark.parametrize("engine", ["postgres"])
def test_it_outlives_a_lost_connection(installation: Installation) -> None:
    process = started(installation)
    with psycopg.connect(installation.database_url, autocommit=True) as connection:
        for awaited in (SHOWN, CUT_OFF):
            while connection.execute(awaited).rowcount == 0:
                time.sleep(0.1)

    installation.run(NEW_RUN.format(seconds=0))

    assert found(installation, patience=60)["corrections"] == 45
    process.terminate()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 0
    assert "The database does not answer" in errors
