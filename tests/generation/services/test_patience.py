"""A worker outlives a database that is busy or gone for a while, and says so."""

from collections.abc import Callable
from threading import Event

import pytest
from django.db import InterfaceError, OperationalError, transaction

from generation.models import Corpus
from generation.services import batches, patience, worker
from generation.services.patience import Patience
from tests.generation import fake

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "WAITS", (0.001,))
    monkeypatch.setattr(patience, "LONGEST_WAIT", 0.001)


def failing(times: int, error: Exception) -> Callable[[], int]:
    """A call that fails so many times before it counts the corpora."""
    left = [error] * times

    def call() -> int:
        if left:
            raise left.pop()
        return Corpus.objects.count()

    return call


@pytest.mark.parametrize("error", [OperationalError("database is locked"), InterfaceError("gone")])
def test_a_call_is_repeated_until_the_database_answers(error: Exception) -> None:
    said: list[str] = []

    assert Patience(say=said.append)(failing(3, error)) == 0

    assert len(said) == 3
    assert str(error) in said[0]


def test_other_errors_are_not_repeated() -> None:
    with pytest.raises(ValueError, match="a bug"):
        Patience()(failing(1, ValueError("a bug")))


def test_whoever_is_told_to_stop_does_not_wait_any_longer() -> None:
    stop = Event()
    stop.set()

    with pytest.raises(OperationalError):
        Patience(stop=stop)(failing(1, OperationalError("database is locked")))


def test_a_transaction_is_not_repeated_by_halves() -> None:
    with pytest.raises(OperationalError), transaction.atomic():
        Patience()(failing(1, OperationalError("database is locked")))


@pytest.mark.usefixtures("backwards")
def test_a_batch_whose_rows_could_not_be_written_is_written_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = fake.run(fake.corpus(5))
    original, errors = batches.Candidate.objects.bulk_create, [OperationalError("locked")]

    def written_then_lost(*arguments: object) -> object:
        made = original(*arguments)  # type: ignore[arg-type]
        if errors:
            raise errors.pop()
        return made

    monkeypatch.setattr(batches.Candidate.objects, "bulk_create", written_then_lost)

    worker.step(run)

    batch = run.batches.get()
    assert (batch.state, batch.attempts) == ("done", 1)
    assert run.candidate_set.count() == 4
