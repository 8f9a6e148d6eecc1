"""manage.py worker: what it works on, how it stops, and when it reviews answers."""

import json
import signal
import time
from datetime import timedelta
from threading import Event

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation import tasks
from annotation.management.commands import worker
from annotation.models import Intervention
from annotation.services import quality, releases
from annotation.services.releases import leasing
from config.celery import REVIEW_SECONDS, app
from generation import methods
from generation.models import GenerationRun
from tests.annotation import cast, judged
from tests.generation import fake

NEW_RUN = """
from annotation.services import projects
from tests.generation import fake
fake.install()
projects.adopt(projects.create("Study"), fake.run(fake.corpus(50)))
"""
# The first batch lasts until the test has sent its signal.
START = """
import time
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from tests.generation import fake
fake.install()
outcomes = fake.Backwards.outcomes
def work_and_wait(*args):
    Path(settings.DATA_DIR, "working").touch()
    while not Path(settings.DATA_DIR, "signal sent").exists():
        time.sleep(0.01)
    return outcomes(*args)
fake.Backwards.outcomes = work_and_wait
call_command("worker")
"""
FOUND = """
import json
from annotation.models import Correction
from generation.models import Batch
done, held = Batch.objects.filter(state="done"), Batch.objects.exclude(lease=None)
print(json.dumps([done.count(), held.count(), Correction.objects.count()]))
"""


class UntilIdle(Event):
    """A worker waits for it, and so stops, as soon as it finds nothing to do."""

    def wait(self, timeout=None):
        self.set()
        return True


@pytest.mark.django_db(transaction=True)
def test_it_works_on_all_queues_or_on_those_that_are_named(monkeypatch, settings, tmp_path):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    monkeypatch.setattr(worker, "_stop_on_signals", UntilIdle)
    monkeypatch.setattr(leasing, "BEAT_SECONDS", 600.0)
    settings.RELEASES_DIR = tmp_path
    project = cast.study()
    judged.pairs(project, [[1, 1, 1, 1, 0]] * 2, by=judged.people(project, 5))
    corpus = fake.corpus(5, "To rewrite")
    for number, (queues, cpu, gpu, preview, release) in enumerate(
        [
            (["gpu"], "running", "done", "waiting", "queued"),
            (["cpu"], "done", "running", "made", "frozen"),
            (["cpu", "gpu"], "done", "done", "made", "frozen"),
            ([], "done", "done", "made", "frozen"),
        ]
    ):
        runs = {queue: fake.run(corpus).pk for queue in ("cpu", "gpu")}
        for queue, pk in runs.items():
            GenerationRun.objects.filter(pk=pk).update(queue=queue)
        queued, draft = (
            releases.draft(project, version=f"{number}.{each}", dev=0, test=0) for each in (0, 1)
        )
        releases.queue(queued)
        call_command("worker", *(f"--queue={queue}" for queue in queues))
        of_case = GenerationRun.objects.filter(pk__in=runs.values())
        states = dict(of_case.values_list("queue", "state"))
        assert states == {"cpu": cpu, "gpu": gpu}, queues
        queued.refresh_from_db()
        draft.preview.refresh_from_db()
        assert (draft.preview.state, queued.state) == (preview, release), queues


@pytest.mark.parametrize("engine", ["sqlite"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_finishes_the_batch_that_it_holds_and_takes_it_in(installation, number):
    installation.run(NEW_RUN)
    process = installation.start("shell", "-c", START)
    while not (installation.data_dir / "working").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    (installation.data_dir / "signal sent").touch()
    output, _errors = process.communicate()
    assert (process.returncode, "The worker has stopped." in output) == (0, True)
    assert json.loads(installation.run(FOUND)) == [1, 0, 4]


@pytest.fixture
def looked_since(monkeypatch):
    """Since when each review looked at answers."""
    calls = []
    monkeypatch.setattr(quality, "review_all", lambda *, since=None: calls.append(since))
    return calls


def test_it_reviews_all_answers_at_first_and_then_new_ones(looked_since, monkeypatch):
    start, reviewer = timezone.now(), worker._Reviewer()
    for seconds in (0, 5, 25, 30, 50):
        moment = start + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        reviewer.review_when_due()
    assert looked_since == [None, start, start + timedelta(seconds=25)]


def test_the_scheduled_review_looks_twice_as_far_back_as_it_is_often(looked_since, monkeypatch):
    entry, now = app.conf.beat_schedule["review"], timezone.now()
    assert entry["task"] == tasks.review_quality.name
    monkeypatch.setattr(timezone, "now", lambda: now)
    tasks.review_quality(*entry["args"])
    assert looked_since == [now - timedelta(seconds=2 * REVIEW_SECONDS)]


@pytest.mark.django_db
def test_the_scheduled_review_flags_careless_people():
    project = cast.study()
    cast.pairs(project, 12)
    for label in (0, 0, 1):
        cast.judge_all(cast.person(project), label)
    tasks.review_quality(60.0)
    assert Intervention.objects.filter(kind="flag").exists()
