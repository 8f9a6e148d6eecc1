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


@pytest.fixture
def woken(monkeypatch, settings):
    """For which tasks workers were woken."""
    settings.CELERY_BROKER_URL = "memory://"
    sent = []
    monkeypatch.setattr(tasks.build_releases, "apply_async", lambda **_: sent.append("build"))
    monkeypatch.setattr(tasks.preview_drafts, "apply_async", lambda **_: sent.append("preview"))
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda call: call())
    return sent


def test_a_woken_worker_works_and_wakes_another_where_two_wait(project, woken, monkeypatch):
    done = []
    monkeypatch.setattr(releases, "build_next", lambda: done.append("build"))
    monkeypatch.setattr(releases, "preview_next", lambda: done.append("preview"))
    for version in ("1.0", "2.0"):
        assert woken == []
        releases.draft(project, version=version)
        tasks.preview_drafts()
    assert (woken, done) == (["preview"], ["preview", "preview"])
    for release in Release.objects.order_by("pk"):
        assert woken == ["preview"]
        releases.queue(release)
        tasks.build_releases()
    assert (woken[1:], done[2:]) == (["build"], ["build", "build"])


@pytest.mark.parametrize("row", [Release, ReleasePreview])
def test_the_schedule_wakes_a_worker_for_what_waits_or_was_given_up(project, woken, row):
    releases.draft(project, version="1.0")
    Release.objects.update(state="draft")
    ReleasePreview.objects.update(state="failed")
    name, waits, under_way = {
        Release: ("build", "queued", "building"),
        ReleasePreview: ("preview", "waiting", "under_way"),
    }[row]
    ended, lasting = (timezone.now() + timedelta(minutes=minutes) for minutes in (-1, 1))
    for state, until, wakes in [
        (waits, None, [name]),
        (under_way, ended, [name]),
        (under_way, lasting, []),
        ("failed", None, []),
    ]:
        row.objects.update(state=state, lease_until=until)
        woken.clear()
        tasks.sweep_releases()
        assert woken == wakes, (state, until)


def test_without_a_broker_no_message_is_sent_and_a_failing_one_is_logged(
    woken, monkeypatch, settings, caplog
):
    def refuse(**_):
        raise OperationalError("no route")

    monkeypatch.setattr(tasks.build_releases, "apply_async", refuse)
    tasks.wake_builders()
    assert "no route" in caplog.text
    caplog.clear()
    settings.CELERY_BROKER_URL = ""
    tasks.wake_builders()
    assert (woken, caplog.text) == ([], "")


def test_answers_of_decided_pairs_are_sealed(project):
    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))
    tasks.seal_answers()
    assert Seal.objects.count() == 5
