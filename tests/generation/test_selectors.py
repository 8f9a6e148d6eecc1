"""What is shown of a run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from generation import selectors
from generation.models import GenerationRun
from generation.services import runs, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def test_a_run_begins_with_nothing_done() -> None:
    progress = selectors.progress(fake.run(fake.corpus(12)))

    assert (progress.total, progress.done, progress.open_batches) == (12, 0, 3)
    assert progress.rate is None
    assert progress.seconds_left is None


def test_progress_counts_the_sentences_of_finished_batches() -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)

    progress = selectors.progress(run)

    assert (progress.done, progress.open_batches, progress.parked_batches) == (7, 0, 1)


def test_the_time_left_follows_from_the_last_five_minutes() -> None:
    run = fake.run(fake.corpus(15))
    worker.step(run)
    worker.step(run)
    now = timezone.now()
    GenerationRun.objects.filter(pk=run.pk).update(created_at=now - timedelta(hours=1))
    run.batches.filter(number=1).update(finished_at=now - timedelta(minutes=30))
    run.refresh_from_db()

    progress = selectors.progress(run)

    assert progress.rate == pytest.approx(5 / 300, rel=0.01)
    assert progress.seconds_left == pytest.approx(300, rel=0.01)


def test_the_rate_of_a_run_that_is_done_is_that_of_the_whole() -> None:
    run = fake.run(fake.corpus(12))
    worker.work_until_idle(run)
    run.refresh_from_db()
    assert run.finished_at is not None
    run.created_at = run.finished_at - timedelta(seconds=6)
    run.save()

    assert selectors.progress(run).rate == pytest.approx(2.0)


def test_the_funnel_counts_outcomes_most_frequent_first() -> None:
    run = fake.run(fake.corpus(20))
    worker.work_until_idle(run)

    assert list(selectors.funnel(run).items()) == [("accepted", 18), ("too_short", 2)]


def test_candidates_come_in_the_order_of_the_corpus() -> None:
    run = fake.run(fake.corpus(12))
    worker.work_until_idle(run)

    sources = [candidate.sentence.text for candidate in selectors.candidates(run)]

    assert sources == [text for text in fake.texts(run.corpus) if " " in text]


def test_only_running_runs_with_free_batches_are_woken() -> None:
    corpus = fake.corpus(5)
    free, held, paused, done = (fake.run(corpus) for _ in range(4))
    worker.work_until_idle(done)
    held.batches.update(lease_until=timezone.now() + timedelta(minutes=1))
    GenerationRun.objects.filter(pk=paused.pk).update(state="paused")

    assert list(selectors.with_free_batches()) == [free]


def test_a_preview_awaits_approval_once_its_first_batch_is_worked() -> None:
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    assert not selectors.awaits_approval(run)

    worker.work_until_idle(run)

    assert selectors.awaits_approval(run)
    assert selectors.preview_size(run) == 20
    runs.approve(run)
    assert not selectors.awaits_approval(run)


def test_nothing_is_said_of_the_time_left_while_nobody_works() -> None:
    run = fake.run(fake.corpus(12))
    worker.step(run)
    runs.pause(run)

    assert selectors.progress(run).rate is None
    assert selectors.progress(run).seconds_left is None


def test_parked_sentences_take_no_time() -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)
    run.refresh_from_db()

    progress = selectors.progress(run)

    assert (progress.open, progress.share) == (0, 7 / 12)
    assert progress.rate is not None


def test_a_preview_tells_what_came_of_each_sentence() -> None:
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    assert selectors.previewed(run) == []
    worker.work_until_idle(run)

    rows = selectors.previewed(run)

    assert [row.sentence.text for row in rows] == fake.texts(run.corpus)[:20]
    assert rows[0].candidates == []
    assert [candidate.text for candidate in rows[1].candidates] == ["1 number sentence"]


def test_parked_batches_are_told_with_their_reasons() -> None:
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    worker.work_until_idle(run)

    [batch] = selectors.parked(run)

    assert batch.number == 2
    assert "cannot rewrite" in batch.error
