"""What workers should be at, and since when nothing has come of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Release, ReleasePreview
from annotation.selectors.waiting import Kind, waiting
from generation.models import Batch, GenerationRun
from generation.services import batches, runs
from tests.annotation import cast
from tests.generation import fake

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("backwards")]


def test_a_run_waits_since_it_was_started_until_something_comes_of_it() -> None:
    run = fake.run(fake.corpus(10))
    [waits] = waiting(timezone.now())
    assert (waits.kind, waits.public_id, waits.since) == (Kind.RUN, run.public_id, run.created_at)
    assert not waits.is_held

    batch = batches.claim()
    assert batch is not None
    assert waiting(timezone.now())[0].is_held
    batches.work(batch)

    [waits] = waiting(timezone.now())
    assert waits.since == Batch.objects.get(state="done").finished_at
    assert not waits.is_held


@pytest.mark.parametrize("state", ["paused", "cancelled", "done"])
def test_a_run_that_does_not_run_does_not_wait_for_workers(state: str) -> None:
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.filter(pk=run.pk).update(state=state)

    assert waiting(timezone.now()) == []


def test_a_preview_that_waits_for_its_approval_does_not_wait_for_workers() -> None:
    run = runs.start(fake.corpus(50), method="word_swap", batch_size=5, preview=True)
    assert len(waiting(timezone.now())) == 1

    run.batches.filter(number=1).update(state="done", finished_at=timezone.now())

    assert waiting(timezone.now()) == []


def test_a_draft_waits_since_it_was_asked_for_and_a_release_from_when_it_is_queued() -> None:
    project, asked = cast.study(), timezone.now() - timedelta(minutes=3)
    draft = Release.objects.create(project=project, version="1", seed=0, settings={})
    ReleasePreview.objects.create(release=draft, asked_at=asked)
    Release.objects.create(project=project, version="2", seed=0, settings={}, state="queued")

    found = waiting(timezone.now())

    assert [(each.kind, each.since, each.queue) for each in found] == [
        (Kind.DRAFT, asked, "cpu"),
        (Kind.RELEASE, None, "cpu"),
    ]


def test_what_a_worker_holds_is_not_called_idle() -> None:
    soon = timezone.now() + timedelta(seconds=10)
    release = Release.objects.create(
        project=cast.study(), version="1", seed=0, settings={}, state="building", lease_until=soon
    )
    assert waiting(timezone.now())[0].is_held

    assert not waiting(soon + timedelta(seconds=1))[0].is_held
    assert waiting(timezone.now())[0].name == str(release)
