"""Celery only wakes workers: they find out themselves which release waits."""

from datetime import timedelta

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation import tasks
from annotation.models import Release
from annotation.services import releases

pytestmark = pytest.mark.django_db
State = Release.State


@pytest.fixture
def sent(monkeypatch, settings):
    """How many workers were woken."""
    settings.CELERY_BROKER_URL = "memory://"
    woken: list[object] = []
    monkeypatch.setattr(tasks.build_releases, "apply_async", lambda **how: woken.append(how))
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda call: call())
    return woken


@pytest.fixture
def built(monkeypatch):
    """How many releases were looked for."""
    looked: list[object] = []
    monkeypatch.setattr(releases, "build_next", lambda: looked.append(None))
    return looked


def queued(project, version):
    release = releases.draft(project, version=version)
    releases.queue(release)
    return release


def test_a_worker_that_is_woken_looks_for_a_release(built):
    tasks.build_releases()
    assert len(built) == 1


def test_whoever_finds_two_wakes_another(project, built, sent):
    queued(project, "1.0")
    tasks.build_releases()
    assert sent == []
    queued(project, "2.0")
    tasks.build_releases()
    assert len(sent) == 1


@pytest.mark.parametrize(
    ("state", "minutes", "woken"),
    [
        (State.QUEUED, None, 1),
        (State.BUILDING, -1, 1),
        (State.BUILDING, 1, 0),
        (State.DRAFT, None, 0),
        (State.FAILED, None, 0),
    ],
)
def test_the_schedule_wakes_a_worker_for_what_waits_or_was_given_up(
    project, sent, state, minutes, woken
):
    releases.draft(project, version="1.0")
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    Release.objects.update(state=state, lease_until=until)
    tasks.sweep_releases()
    assert len(sent) == woken


def test_without_a_broker_nobody_is_woken(sent, settings):
    settings.CELERY_BROKER_URL = ""
    tasks.wake_builders()
    assert sent == []


def test_a_broker_that_does_not_answer_is_logged(monkeypatch, sent, caplog):
    def refuse(**_):
        raise OperationalError("no route")

    monkeypatch.setattr(tasks.build_releases, "apply_async", refuse)
    tasks.wake_builders()
    assert "no route" in caplog.text
