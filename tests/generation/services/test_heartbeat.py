"""A lease is renewed from beside the work, for as long as the method allows and no longer."""

import time
from dataclasses import replace
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.db import OperationalError

from generation import methods
from generation.methods.contract import Outcome
from generation.models import Batch
from generation.services import batches, worker
from generation.services.heartbeat import beating
from tests.generation import fake

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("backwards", "short_leases"),
]

BATCH_SECONDS = 4.0


@pytest.fixture
def short_leases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "LEASE", timedelta(seconds=3))
    monkeypatch.setattr(batches, "RENEWAL", timedelta(seconds=0.2))


@pytest.fixture
def rivals(monkeypatch: pytest.MonkeyPatch) -> list[Batch | None]:
    """What another worker claims late in the work on a batch that takes its time."""
    claims: list[Batch | None] = []
    original = fake.Backwards.outcomes

    def slow(*arguments: Any) -> list[Outcome]:
        time.sleep(BATCH_SECONDS)
        claims.append(batches.claim())
        return list(original(*arguments))

    monkeypatch.setattr(fake.Backwards, "outcomes", slow)
    return claims


def test_a_slow_worker_keeps_its_batch(rivals: list[Batch | None]) -> None:
    run = fake.run(fake.corpus(5))

    assert worker.step(run)

    assert rivals == [None]
    assert (run.batches.get().state, run.batches.get().attempts) == ("done", 1)


def test_without_renewals_it_would_lose_it(
    rivals: list[Batch | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches, "RENEWAL", timedelta(minutes=1))
    run = fake.run(fake.corpus(5))

    worker.step(run)

    assert rivals == [run.batches.get()]
    assert (run.batches.get().state, run.candidate_set.count()) == ("open", 0)


def test_what_takes_longer_than_its_method_allows_is_lost(
    rivals: list[Batch | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = replace(fake.METHOD, lease=timedelta(seconds=0.7))
    monkeypatch.setitem(methods.METHODS, "word_swap", hasty)
    run = fake.run(fake.corpus(5))

    worker.step(run)

    assert rivals == [run.batches.get()]
    assert run.candidate_set.count() == 0


def test_a_beat_that_the_database_does_not_take_is_followed_by_another() -> None:
    beats, enough = [OperationalError("away"), OperationalError("still away"), True], Event()

    def beat() -> bool:
        if isinstance(answer := beats.pop(0), Exception):
            raise answer
        enough.set()
        return False

    with beating(beat, every=0.01):
        assert enough.wait(10)


def test_it_ends_with_the_work() -> None:
    beats, begun = list[float](), Event()

    def beat() -> bool:
        beats.append(time.monotonic())
        begun.set()
        return True

    with beating(beat, every=0.01):
        assert begun.wait(10)
    ended = time.monotonic()
    time.sleep(0.05)

    assert max(beats) <= ended
