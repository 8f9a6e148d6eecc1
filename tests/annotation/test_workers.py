"""The embedded worker and Celery's: what they work on, what wakes them, and how they stop."""

import json
import signal
import time
from datetime import timedelta
from threading import Event
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from annotation import tasks
from annotation.models import Intervention, Seal
from annotation.quality.services import review
from common import leases, messages
from common.outages import Retry
from config.celery import REVIEW_SECONDS, app
from generation import methods
from generation.models import GenerationRun
from operations.management.commands import worker
from operations.tasks import do_leased_work, sweep_leased_work
from releases.models import Release, ReleasePreview
from releases.services import drafts
from support import fake
from tests.annotation import judged, make

# The first batch lasts until the test has sent its signal.
START = """
import time
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from annotation.projects.services import projects
from support import fake
fake.install()
projects.create("Study").runs.add(fake.run(fake.corpus(50)))
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
from annotation.models import Correction
from generation.models import Batch
done, held = Batch.objects.filter(state="done"), Batch.objects.exclude(lease=None)
print([done.count(), held.count(), Correction.objects.count()])
"""


@pytest.fixture
def stops_when_idle(monkeypatch):
    """Commands `worker` that end when there is no work left."""

    def stop_when_idle():
        stop = Event()
        stop.wait = lambda *_: stop.set()
        return stop

    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    monkeypatch.setattr(worker, "_stop_on_signals", stop_when_idle)
    monkeypatch.setattr(leases, "BEAT_SECONDS", 600.0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("stops_when_idle")
def test_it_works_on_all_queues_or_on_those_that_are_named(monkeypatch, settings, tmp_path):
    # Idle at once, it would end the others.
    monkeypatch.setattr(worker, "_ask_models", lambda _: None)
    settings.RELEASES_DIR = tmp_path
    project, corpus = make.study(), fake.corpus(5, "To rewrite")
    judged.pairs(project, [[1, 1, 1, 1, 0]] * 2, by=judged.people(project, 5))
    for queues, *states in [
        (["--queue=gpu"], "running", "done", "waiting", "queued"),
        (["--queue=cpu"], "done", "running", "made", "frozen"),
        (["--queue=cpu", "--queue=gpu"], "done", "done", "made", "frozen"),
        ([], "done", "done", "made", "frozen"),
    ]:
        runs = [fake.run(corpus), fake.run(corpus)]
        for run, queue in zip(runs, ("cpu", "gpu"), strict=True):
            GenerationRun.objects.filter(pk=run.pk).update(queue=queue)
        draft = drafts.create_draft(
            project, version=f"draft-{len(queues)}{states[0]}", dev=0, test=0
        )
        release = drafts.create_draft(project, version=f"built-{draft.version}", dev=0, test=0)
        drafts.queue_draft(release)
        call_command("worker", *queues)
        rows = [*runs, draft.preview, release]
        for row in rows:
            row.refresh_from_db()
        assert [row.state for row in rows] == states, queues


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("stops_when_idle")
def test_a_run_that_asks_models_is_left_to_workers_of_its_queue():
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="endpoint")
    for queue, state in [("cpu", "running"), ("endpoint", "done")]:
        call_command("worker", f"--queue={queue}")
        run.refresh_from_db()
        assert run.state == state


def test_an_error_of_the_thread_that_asks_models_ends_the_worker(db, monkeypatch):
    patience = Retry()
    monkeypatch.setattr(worker, "_ask_models", Mock(side_effect=RuntimeError("a bug")))
    monkeypatch.setattr(worker, "_work", lambda patience, _: patience.stop.wait(60))
    with pytest.raises(RuntimeError, match="a bug"):
        worker._work_and_ask_models(patience, ["cpu"])


@pytest.mark.parametrize("engine", ["sqlite"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_finishes_the_batch_that_it_holds_and_takes_it_in(installation, number):
    process = installation.start("shell", "-c", START)
    while not (installation.data_dir / "working").exists():
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    process.send_signal(number)
    (installation.data_dir / "signal sent").touch()
    output, _errors = process.communicate()
    assert (process.returncode, "The worker has stopped." in output) == (0, True)
    assert json.loads(installation.run(FOUND)) == [1, 0, 4]


def test_all_answers_are_reviewed_at_first_and_then_new_ones(monkeypatch):
    since = []
    monkeypatch.setattr(review, "review_all", lambda *, since=None, to=since: to.append(since))
    start, reviewer = timezone.now(), worker._Reviewer()
    for seconds in (0, 25, 50):
        moment = start + timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda moment=moment: moment)
        reviewer()
    assert since == [None, start, start + timedelta(seconds=25)]
    # Celery's review looks twice as far back as it is often.
    entry = app.conf.beat_schedule["review"]
    assert entry["task"] == tasks.review_quality.name
    tasks.review_quality(*entry["args"])
    assert since[3:] == [timezone.now() - timedelta(seconds=2 * REVIEW_SECONDS)]


def test_scheduled_tasks_flag_careless_people_and_seal_answers(project):
    judged.pairs(project, [[0, 0, 1]] * 12, by=judged.people(project, 3), at=timezone.now())
    tasks.review_quality(60.0)
    assert Intervention.objects.filter(kind="flag").exists()
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    tasks.seal_answers()
    assert Seal.objects.count() == 5


@pytest.fixture
def woken(monkeypatch, settings):
    """How often a worker was woken."""
    settings.CELERY_BROKER_URL = "memory://"
    sent = []
    name = do_leased_work.name
    monkeypatch.setattr(app, "send_task", lambda task, **_: sent.append("woken" * (task == name)))
    monkeypatch.setattr(transaction, "on_commit", lambda call, *, robust: call())
    return sent


def test_a_woken_worker_works_and_wakes_another_where_two_wait(project, woken):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    drafts.create_draft(project, version="1.0", dev=0, test=0)
    do_leased_work()
    assert (ReleasePreview.objects.get().state, woken) == ("made", [])
    drafts.queue_draft(Release.objects.get())
    drafts.create_draft(project, version="2.0", dev=0, test=0)
    do_leased_work()  # previews first
    states = {release.version: release.state for release in Release.objects.all()}
    assert (states, woken) == ({"1.0": "queued", "2.0": "draft"}, ["woken"])
    do_leased_work()
    assert (Release.objects.get(version="1.0").state, woken) == ("frozen", ["woken"])


def test_the_schedule_wakes_workers_for_what_waits_or_was_given_up(project, woken):
    drafts.create_draft(project, version="1.0")
    ended, lasting = (timezone.now() + timedelta(minutes=minutes) for minutes in (-1, 1))
    for row, waits, under_way in [
        (ReleasePreview, "waiting", "under_way"),
        (Release, "queued", "building"),
    ]:
        cases = (waits, None), (under_way, ended), (under_way, lasting), ("failed", None)
        for number, (state, until) in enumerate(cases):
            row.objects.update(state=state, lease_until=until)
            woken.clear()
            sweep_leased_work()
            assert woken == ["woken"] * (number < 2), (state, until)


def test_without_a_broker_no_message_is_sent(woken, settings):
    messages.wake_worker()
    settings.CELERY_BROKER_URL = ""
    messages.wake_worker()
    assert woken == ["woken"]
