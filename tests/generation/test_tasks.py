"""Celery wakes workers up; the work is the same."""

from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from kombu.exceptions import OperationalError

from config.celery import SWEEP_SECONDS
from generation import tasks
from generation.models import GenerationRun
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture(autouse=True)
def messages(monkeypatch, settings):
    """The run of each message that was sent, its queue, and after how long it expires."""
    settings.CELERY_BROKER_URL = "memory://"
    sent = []

    def send(arguments, *, queue, expires):
        sent.append((*arguments, queue, expires))

    monkeypatch.setattr(tasks.work_run, "apply_async", send)
    monkeypatch.setattr(tasks.transaction, "on_commit", lambda call: call())
    return sent


def work(run, *, through):
    """What a worker does with a message for the run that came through this queue."""
    message = SimpleNamespace(request=SimpleNamespace(delivery_info={"routing_key": through}))
    tasks.work_run.run.__func__(message, run.pk)


def test_a_message_goes_to_the_queue_of_its_run_if_there_is_a_broker(messages, settings):
    run = fake.run(fake.corpus(5))
    for queue in ("cpu", "gpu"):
        GenerationRun.objects.update(queue=queue)
        tasks.wake(run.pk)
        assert messages.pop() == (run.pk, queue, 3600)
    settings.CELERY_BROKER_URL = ""
    tasks.wake(run.pk)
    assert messages == []


def test_a_broker_that_does_not_answer_stops_no_work(monkeypatch, caplog):
    away = Mock(side_effect=OperationalError("Connection refused"))
    monkeypatch.setattr(tasks.work_run, "apply_async", away)
    run = fake.run(fake.corpus(12))
    tasks.work_run(run.pk)
    run.refresh_from_db()
    assert run.state == "done"
    assert f"No worker was woken for run {run.pk}: Connection refused" in caplog.messages


def test_a_woken_worker_works_the_run_to_its_end_and_wakes_one_other(messages):
    run = fake.run(fake.corpus(12))
    tasks.work_run(run.pk)
    run.refresh_from_db()
    assert run.state == "done"
    assert messages == [(run.pk, "cpu", 3600)]
    tasks.work_run(run.pk)  # a message that comes too late
    assert len(messages) == 1


def test_a_worker_of_another_queue_sends_the_message_on_and_works_nothing(messages):
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")
    work(run, through="cpu")
    assert run.candidate_set.count() == 0
    assert messages == [(run.pk, "gpu", 3600)]
    work(run, through="gpu")
    assert run.candidate_set.count() == 4


def test_a_worker_stops_after_half_a_minute_and_leaves_the_rest_to_the_next(messages, monkeypatch):
    moments = iter([0.0, 29.9, 30.0])
    monkeypatch.setattr(tasks, "monotonic", lambda: next(moments))
    run = fake.run(fake.corpus(15))
    tasks.work_run(run.pk)
    assert run.batches.filter(state="done").count() == 2
    assert messages == [(run.pk, "cpu", 3600)]


def test_a_sweep_wakes_runs_with_free_batches_and_closes_those_without_open_ones(messages):
    corpus = fake.corpus(10)
    free, half_done, done = (fake.run(corpus) for _ in range(3))
    for batches in (half_done.batches.filter(number=1), done.batches):
        batches.update(state="done", finished_at=done.created_at)
    tasks.sweep()
    assert [sent[:2] for sent in messages] == [(free.pk, "cpu"), (half_done.pk, "cpu")]
    # Messages do not pile up while all workers are busy.
    assert {expires for *_, expires in messages} == {60}
    assert SWEEP_SECONDS * 5 >= 60
    states = dict(GenerationRun.objects.values_list("pk", "state"))
    assert states == {free.pk: "running", half_done.pk: "running", done.pk: "done"}
