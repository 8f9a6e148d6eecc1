"""The watchdog: leases that a clock made too long, and work of which nothing comes."""

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Correction, Judgment, Project
from annotation.services import watchdog
from generation import clock
from generation.models import Batch, GenerationRun
from tests.annotation import cast
from tests.generation import fake

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("backwards")]

HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def nothing_told() -> Iterator[None]:
    watchdog._told.clear()
    yield
    watchdog._told.clear()


def held_before_the_clock_went_back() -> Project:
    """A study in which a pair and a candidate are held by people who were there an hour later."""
    project = cast.study()
    cast.pairs(project, 1)
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    until = timezone.now() + HOUR + timedelta(minutes=project.lease_minutes)
    member = cast.person(project)
    for slots in (Judgment.objects.filter(label=None), Correction.objects.filter(action=None)):
        slot = slots.first()
        assert slot is not None
        whose = {"annotator": member.user, "lease_until": until, "claimed_at": timezone.now()}
        type(slot)._default_manager.filter(pk=slot.pk).update(**whose)
    return project


def lease_ends() -> set[float]:
    """In how many minutes the leases of people end."""
    now = timezone.now()
    ends = [
        *Judgment.objects.filter(label=None).values_list("lease_until", flat=True),
        *Correction.objects.filter(action=None).values_list("lease_until", flat=True),
    ]
    return {round((end - now).total_seconds() / 60) for end in ends if end}


def test_nobody_holds_an_item_for_the_hour_by_which_the_clock_went_back() -> None:
    project = held_before_the_clock_went_back()
    assert lease_ends() == {60 + project.lease_minutes}

    assert watchdog.shorten_leases(timezone.now()) == 2

    assert lease_ends() == {project.lease_minutes}


def test_leases_of_clocks_that_differ_a_little_are_left_alone() -> None:
    held_before_the_clock_went_back()

    assert watchdog.shorten_leases(timezone.now() + HOUR - timedelta(minutes=4)) == 0


def silent_run(minutes: float) -> GenerationRun:
    """A run of which nothing has come for so long."""
    run = fake.run(fake.corpus(10))
    since = clock.now() - timedelta(minutes=minutes)
    GenerationRun.objects.filter(pk=run.pk).update(created_at=since)
    return run


def test_of_a_run_that_gives_no_sign_it_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    run = silent_run(minutes=12)

    watchdog.tell_of_silence(clock.now())
    watchdog.tell_of_silence(clock.now())

    [record] = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert record.getMessage() == (
        f"Nothing has come of run {run.public_id} for 12 minutes: it is held by nobody"
    )


def test_it_is_told_anew_after_something_has_come(caplog: pytest.LogCaptureFixture) -> None:
    run = silent_run(minutes=12)
    watchdog.tell_of_silence(clock.now())
    first = run.batches.order_by("number").first()
    assert first is not None
    Batch.objects.filter(pk=first.pk).update(state="done", finished_at=clock.now())

    watchdog.tell_of_silence(clock.now())
    watchdog.tell_of_silence(clock.now() + timedelta(minutes=11))

    assert len(caplog.messages) == 2


def test_nothing_is_told_of_a_run_that_gets_on(caplog: pytest.LogCaptureFixture) -> None:
    silent_run(minutes=9)

    watchdog.tell_of_silence(clock.now())

    assert caplog.messages == []
