"""Celery wakes workers up; the work is the same."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from kombu.exceptions import OperationalError

from config.celery import SWEEP_SECONDS
from generation import tasks
from generation.models import GenerationRun
from tests.generation import fake

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("backwards"),
]


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[tuple[int, str]]:
    """The runs for which a message was sent, and the queues that it went to."""
    settings.CELERY_BROKER_URL = "memory://"
    sent: list[tuple[int, str]] = []

    def send(arguments: tuple[int], *, queue: str, **_: Any) -> None:
        sent.append((*arguments, queue))

    monkeypatch.setattr(tasks.work_run, "apply_async", send)
    return sent


def work(run: GenerationRun, *, through: str) -> None:
    """What a worker does with a message for the run that came through this queue."""
    message = SimpleNamespace(request=SimpleNamespace(delivery_info={"routing_key": through}))
    tasks.work_run.run.__func__(message, run.pk)


def test_without_a_broker_no_message_is_sent(
    messages: list[tuple[int, str]], settings: Any
) -> None:
    settings.CELERY_BROKER_URL = ""

    tasks.wake(fake.run(fake.corpus(5)).pk)

    assert messages == []


@pytest.mark.parametrize("queue", ["cpu", "gpu"])
def test_a_message_goes_to_the_queue_of_its_run(
    messages: list[tuple[int, str]], queue: str
) -> None:
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue=queue)

    tasks.wake(run.pk)

    assert messages == [(run.pk, queue)]


def test_a_broker_that_is_away_stops_nobody(
    monkeypatch: pytest.MonkeyPatch, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OperationalError("Connection refused")

    settings.CELERY_BROKER_URL = "memory://"
    monkeypatch.setattr(tasks.work_run, "apply_async", fail)
    run = fake.run(fake.corpus(12))

    with caplog.at_level(logging.WARNING):
        tasks.work_run(run.pk)

    run.refresh_from_db()
    assert run.state == "done"
    assert "Connection refused" in caplog.text


def test_a_woken_worker_works_the_run_to_its_end_and_wakes_one_other(
    messages: list[tuple[int, str]],
) -> None:
    run = fake.run(fake.corpus(12))

    tasks.work_run(run.pk)

    run.refresh_from_db()
    assert run.state == "done"
    assert messages == [(run.pk, "cpu")]


def test_a_cpu_worker_sends_the_message_of_a_gpu_run_on_and_works_nothing(
    messages: list[tuple[int, str]],
) -> None:
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")

    work(run, through="cpu")

    assert run.candidate_set.count() == 0
    assert messages == [(run.pk, "gpu")]


def test_a_gpu_worker_works_a_gpu_run(messages: list[tuple[int, str]]) -> None:
    run = fake.run(fake.corpus(5))
    GenerationRun.objects.update(queue="gpu")

    work(run, through="gpu")

    assert run.candidate_set.count() == 4


def test_a_message_that_comes_too_late_does_nothing(messages: list[tuple[int, str]]) -> None:
    run = fake.run(fake.corpus(5))
    tasks.work_run(run.pk)
    messages.clear()

    tasks.work_run(run.pk)

    assert messages == []


def test_a_worker_stops_after_half_a_minute_and_leaves_the_rest_to_the_next(
    messages: list[tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "WORK_SECONDS", 0)
    run = fake.run(fake.corpus(12))

    tasks.work_run(run.pk)

    assert run.candidate_set.count() == 4
    assert messages == [(run.pk, "cpu")]


def test_a_sweep_wakes_every_run_with_free_batches(messages: list[tuple[int, str]]) -> None:
    corpus = fake.corpus(5)
    runs = [fake.run(corpus), fake.run(corpus)]

    tasks.sweep()

    assert messages == [(run.pk, "cpu") for run in runs]


def test_messages_of_sweeps_do_not_pile_up_while_all_workers_are_busy(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "memory://"
    expiries: list[float] = []
    monkeypatch.setattr(
        tasks.work_run, "apply_async", lambda *_, expires, **__: expiries.append(expires)
    )
    run = fake.run(fake.corpus(5))

    tasks.wake(run.pk)
    tasks.sweep()

    started, swept = expiries
    assert swept <= 5 * SWEEP_SECONDS < started


def test_a_run_whose_last_worker_died_before_closing_it_is_closed_by_the_sweep() -> None:
    run = fake.run(fake.corpus(5))
    run.batches.update(state="done", finished_at=run.created_at)

    tasks.sweep()

    run.refresh_from_db()
    assert run.state == GenerationRun.State.DONE
    assert run.finished_at is not None


def test_the_sweep_leaves_a_run_alone_that_has_an_open_batch() -> None:
    run = fake.run(fake.corpus(10))
    run.batches.filter(number=1).update(state="done", finished_at=run.created_at)

    tasks.sweep()

    run.refresh_from_db()
    assert run.state == GenerationRun.State.RUNNING
