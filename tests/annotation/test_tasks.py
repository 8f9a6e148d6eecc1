"""Celery only wakes workers: they find out themselves which release waits."""

from datetime import timedelta

import pytest
from django.utils import timezone
from kombu.exceptions import OperationalError

from annotation import tasks
from annotation.models import Release, ReleasePreview, Seal
from annotation.services import releases
from tests.annotation import judged

pytestmark = pytest.mark.django_db
State = Release.State


@pytest.fixture
def sent(monkeypatch, settings):
    """For which tasks workers were woken."""
    settings.CELERY_BROKER_URL = "memory://"
    woken: list[str] = []
    monkeypatch.setattr(tasks.build_releases, "apply_async", lambda **_: woken.append("build"))
    monkeypatch.setattr(tasks.preview_drafts, "apply_async", lambda **_: woken.append("preview"))
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda call: call())
    return woken


@pytest.fixture
def built(monkeypatch):
    """What was looked for."""
    looked: list[str] = []
    monkeypatch.setattr(releases, "build_next", lambda: looked.append("build"))
    monkeypatch.setattr(releases, "preview_next", lambda: looked.append("preview"))
    return looked


def queued(project, version):
    release = releases.draft(project, version=version)
    releases.queue(release)
    return release


def test_a_worker_that_is_woken_looks_for_a_release(built):
    tasks.build_releases()
    tasks.preview_drafts()
    assert built == ["build", "preview"]


def test_whoever_finds_two_wakes_another(project, built, sent):
    queued(project, "1.0")
    tasks.build_releases()
    assert sent == []
    queued(project, "2.0")
    tasks.build_releases()
    assert sent == ["build"]


def test_whoever_finds_two_drafts_wakes_another(project, built, sent):
    for version in ("1.0", "2.0"):
        assert sent == []
        releases.draft(project, version=version)
        tasks.preview_drafts()
    assert sent == ["preview"]


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
    ReleasePreview.objects.update(state="failed")
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    Release.objects.update(state=state, lease_until=until)
    tasks.sweep_releases()
    assert sent == ["build"] * woken


@pytest.mark.parametrize(
    ("state", "minutes", "woken"),
    [("waiting", None, 1), ("under_way", -1, 1), ("under_way", 1, 0), ("failed", None, 0)],
)
def test_the_schedule_wakes_a_worker_for_a_draft_that_waits(project, sent, state, minutes, woken):
    releases.draft(project, version="1.0")
    until = timezone.now() + timedelta(minutes=minutes) if minutes else None
    ReleasePreview.objects.update(state=state, lease_until=until)
    tasks.sweep_releases()
    assert sent == ["preview"] * woken


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


def test_answers_of_decided_pairs_are_sealed(project):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    tasks.seal_answers()
    assert Seal.objects.count() == 5
