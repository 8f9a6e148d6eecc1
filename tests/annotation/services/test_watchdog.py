"""The watchdog: leases that a clock made too long, and work of which nothing comes."""

import logging
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Correction, Judgment
from annotation.services import watchdog
from generation import clock
from generation.models import Batch, GenerationRun
from tests.annotation import cast
from tests.generation import fake

HOUR = timedelta(hours=1)


@pytest.mark.django_db
def test_a_lease_that_a_clock_made_too_long_is_shortened_and_no_other():
    project = cast.study()
    cast.pairs(project, 1)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    member, now = cast.person(project), timezone.now()
    lease = timedelta(minutes=project.lease_minutes)
    for slots in (Judgment.objects, Correction.objects):
        slots.filter(pk=slots.first().pk).update(annotator=member.user, lease_until=now + lease)
    tolerated = now - timedelta(minutes=4)
    assert [watchdog.shorten_leases(at) for at in (now, tolerated, now - HOUR)] == [0, 0, 2]
    for slots in (Judgment.objects, Correction.objects):
        assert slots.get(annotator=member.user).lease_until == now - HOUR + lease


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("backwards")
def test_a_run_that_gives_no_sign_is_reported_once_until_something_comes(caplog, monkeypatch):
    monkeypatch.setattr(watchdog, "_told", set())
    run = fake.run(fake.corpus(10))
    started = clock.now()
    GenerationRun.objects.filter(pk=run.pk).update(created_at=started)
    for minutes in (9, 12, 12):
        watchdog.tell_of_silence(started + timedelta(minutes=minutes))
    [record] = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert record.getMessage() == (
        f"Nothing has come of run {run.public_id} for 12 minutes: it is held by nobody"
    )
    first = run.batches.earliest("number")
    finished = started + timedelta(minutes=13)
    Batch.objects.filter(pk=first.pk).update(state="done", finished_at=finished)
    for minutes in (14, 24):
        watchdog.tell_of_silence(started + timedelta(minutes=minutes))
    assert len(caplog.messages) == 2


@pytest.mark.django_db
def test_a_look_shortens_leases_and_reports_silence(monkeypatch):
    looks = []
    monkeypatch.setattr(watchdog, "shorten_leases", lambda now: looks.append("leases"))
    monkeypatch.setattr(watchdog, "tell_of_silence", lambda now: looks.append("silence"))
    watchdog.watch()
    assert looks == ["leases", "silence"]
