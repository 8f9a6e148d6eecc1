"""What is shown of a run."""

from datetime import timedelta

import pytest
from django.utils import timezone

from generation import selectors
from generation.models import GenerationRun
from generation.services import runs, worker
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def test_progress_counts_the_sentences_of_finished_batches_and_outcomes_come_by_their_number():
    run = fake.run(fake.corpus(12), fails_on="sentence number 7")
    begun = selectors.progress(run)
    assert (begun.total, begun.done, begun.open, begun.open_batches) == (12, 0, 12, 3)
    assert (begun.rate, begun.seconds_left) == (None, None)
    worker.work_until_idle(run)
    run.refresh_from_db()
    run.created_at = run.finished_at - timedelta(seconds=6)
    ended = selectors.progress(run)
    assert (ended.done, ended.open, ended.open_batches, ended.parked_batches) == (7, 0, 0, 1)
    assert (ended.share, ended.rate) == (7 / 12, pytest.approx(7 / 6))  # of the whole run
    assert list(selectors.funnel(run).items()) == [("accepted", 5), ("too_short", 2)]
    found = [candidate.sentence.text for candidate in selectors.candidates(run)]
    assert found == [f"sentence number {number}" for number in (1, 2, 3, 4, 11)]


def test_the_time_left_follows_from_the_last_five_minutes_while_workers_are_at_it():
    run, now = fake.run(fake.corpus(15)), timezone.now()
    assert [worker.step(run), worker.step(run)] == [True, True]
    GenerationRun.objects.update(created_at=now - timedelta(hours=1))
    run.batches.filter(number=1).update(finished_at=now - timedelta(minutes=30))
    run.refresh_from_db()
    progress = selectors.progress(run)
    assert (progress.rate, progress.seconds_left) == (pytest.approx(5 / 300), pytest.approx(300))
    runs.pause(run)
    assert (selectors.progress(run).rate, selectors.progress(run).seconds_left) == (None, None)


def test_a_preview_awaits_approval_and_shows_each_sentence_once_its_first_batch_is_worked():
    run = runs.start(fake.corpus(30), method="word_swap", preview=True)
    assert (selectors.awaits_approval(run), selectors.previewed(run)) == (False, [])
    worker.work_until_idle(run)
    assert (selectors.awaits_approval(run), selectors.preview_size(run)) == (True, 20)
    rows = selectors.previewed(run)
    assert [row.sentence.text for row in rows] == fake.texts(run.corpus)[:20]
    made = [[candidate.text for candidate in row.candidates] for row in rows[:2]]
    assert made == [[], ["1 number sentence"]]
    runs.approve(run)
    assert not selectors.awaits_approval(run)
