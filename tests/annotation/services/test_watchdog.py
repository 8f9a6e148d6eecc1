"""The watchdog: leases that a clock made too long, and work of which nothing comes."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Correction, Judgment
from benchmarks.generation import fake
from common import clock
from generation.models import Batch, GenerationRun
from operations import watchdog
from tests.annotation import make
from tests.annotation.services.small_study import study


@pytest.mark.django_db
def test_a_lease_that_a_clock_made_too_long_is_shortened_and_no_other():
    project, [member] = study(1, people=1)
    make.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    now, lease = timezone.now(), timedelta(minutes=project.lease_minutes)
    earlier, tolerated = now - timedelta(hours=1), now - timedelta(minutes=4)
    for slots in (Judgment.objects, Correction.objects):
        slots.filter(pk=slots.first().pk).update(annotator=member.user, lease_until=now + lease)
    assert [watchdog.shorten_leases(at) for at in (now, tolerated, earlier)] == [0, 0, 2]
    for slots in (Judgment.objects, Correction.objects):
        assert slots.get(annotator=member.user).lease_until == earlier + lease


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("backwards")
def test_a_run_that_gives_no_sign_is_reported_once_until_something_comes(caplog, monkeypatch):
    monkeypatch.setattr(watchdog, "_reported", set())
    run, start = fake.run(fake.corpus(10)), clock.now()
    GenerationRun.objects.filter(pk=run.pk).update(created_at=start)

    def look(*, minutes):
        monkeypatch.setattr(clock, "now", lambda: start + timedelta(minutes=minutes))
        watchdog.watch()
        return len(caplog.messages)

    assert [look(minutes=minutes) for minutes in (9, 12, 13)] == [0, 1, 1]
    assert caplog.messages[0] == (
        f"Nothing has come of run {run.public_id} for 12 minutes: it is not in progress"
    )
    first, at = run.batches.earliest("number"), start + timedelta(minutes=14)
    Batch.objects.filter(pk=first.pk).update(state="done", finished_at=at)
    assert [look(minutes=minutes) for minutes in (15, 25)] == [1, 2]
