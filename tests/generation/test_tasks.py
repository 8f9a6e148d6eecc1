"""Celery wakes workers up; the work is the same."""

from typing import Any

import pytest

from generation import tasks
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def messages(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[int]:
    """The runs for which a message was sent."""
    settings.CELERY_BROKER_URL = "memory://"
    sent: list[int] = []

    def send(arguments: tuple[int], **_: Any) -> None:
        sent.append(*arguments)

    monkeypatch.setattr(tasks.work_run, "apply_async_on_commit", send)
    return sent


def test_without_a_broker_no_message_is_sent(messages: list[int], settings: Any) -> None:
    settings.CELERY_BROKER_URL = ""

    tasks.wake(1)

    assert messages == []


def test_a_woken_worker_works_the_run_to_its_end_and_wakes_one_other(messages: list[int]) -> None:
    run = fake.run(fake.corpus(12))

    tasks.work_run(run.pk)

    run.refresh_from_db()
    assert run.state == "done"
    assert messages == [run.pk]


def test_a_message_that_comes_too_late_does_nothing(messages: list[int]) -> None:
    run = fake.run(fake.corpus(5))
    tasks.work_run(run.pk)
    messages.clear()

    tasks.work_run(run.pk)

    assert messages == []


def test_a_worker_stops_after_some_minutes_and_leaves_the_rest_to_the_next(
    messages: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "WORK_SECONDS", 0)
    run = fake.run(fake.corpus(12))

    tasks.work_run(run.pk)

    assert run.candidate_set.count() == 4
    assert messages == [run.pk]


def test_a_sweep_wakes_every_run_with_free_batches(messages: list[int]) -> None:
    corpus = fake.corpus(5)
    runs = [fake.run(corpus), fake.run(corpus)]

    tasks.sweep()

    assert messages == [run.pk for run in runs]
