"""The status page: for staff, in words, with what to do."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Release
from generation import methods
from generation.models import GenerationRun, Worker
from generation.services import signs_of_life
from operations import condition, machine
from operations.findings import Level
from operations.machine import Room
from tests.annotation import cast
from tests.generation import fake

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    return fake.run(fake.corpus(5, "Wikipedia"))


def show_life(*queues):
    signs_of_life.show("one:1", "celery", queues or ["beat", "cpu"])


def texts():
    return [finding.text for finding in condition.amiss()]


def test_the_page_is_for_staff_and_shows_what_workers_are_to_do(client, run, monkeypatch):
    reply = client.get(reverse("status"))
    assert reply.headers["Location"].endswith("?next=/status/")
    client.force_login(cast.person(cast.study(), role="manager").user)
    assert client.get(reverse("status")).status_code == 404
    client.force_login(User.objects.create(username="ada", is_staff=True))
    page = client.get(reverse("status")).text
    assert "Wikipedia" in page
    assert "no, it waits" in page
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    show_life()
    page = client.get(reverse("status")).text
    assert "Nothing: all is well." in page
    assert "Nothing: every run, preview and release is finished." in page
    assert "one:1" in page
    monkeypatch.setattr("accounts.admin_site._is_proved", lambda _: False)
    assert client.get(reverse("status")).status_code == 302


def test_work_needs_a_worker_that_shows_life_and_reads_its_queue(run):
    missing = "Work waits, and no worker shows signs of life."
    assert (texts(), condition.amiss()[0].level) == ([missing], Level.ERROR)
    show_life()
    assert texts() == []
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert texts() == [missing]
    assert [worker.name for worker in condition.now().silent] == ["one:1"]
    GenerationRun.objects.update(queue="gpu")
    show_life("cpu")
    assert texts() == ["Work waits for a worker with a GPU, and none shows signs of life."]


def test_runs_without_progress_and_batches_that_failed_are_told(run):
    show_life()
    GenerationRun.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    [finding] = condition.amiss()
    assert finding.text == "Nothing has come of Wikipedia for 11\N{NO-BREAK SPACE}minutes."
    assert finding.advice.startswith("No worker is at it")
    run.batches.update(state="parked")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    assert texts() == ["1 batch has failed three times and is set aside."]


def test_a_disk_that_fills_up_is_told_and_errors_come_before_warnings(monkeypatch):
    show_life()
    for free, level in ((9, Level.WARNING), (1, Level.ERROR)):
        monkeypatch.setattr(machine, "disk", lambda free=free: Room(total=100, free=free))
        [finding] = condition.amiss()
        assert (finding.subject, finding.level) == ("Disk", level)
    monkeypatch.setattr(machine, "disk", lambda: Room(total=100, free=9))
    Worker.objects.all().delete()
    settings = {"seed": 0, "settings": {}, "state": "queued"}
    Release.objects.create(project=cast.study(), version="1", **settings)
    assert [finding.level for finding in condition.amiss()] == [Level.ERROR, Level.WARNING]
