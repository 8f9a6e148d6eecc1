"""Workers outlive a database that is busy or gone for a while, and are known while they work."""

from datetime import timedelta
from threading import Event
from unittest.mock import Mock

import pytest
from django.db import InterfaceError, OperationalError, transaction

from generation import clock
from generation.models import Worker
from generation.services import batches, patience, signs_of_life, worker
from generation.services.patience import Patience
from tests.generation import fake

pytestmark = pytest.mark.django_db


class Waits(Event):
    """A wait that is over at once, and remembered."""

    def __init__(self):
        super().__init__()
        self.seconds = []

    def wait(self, timeout=None):
        self.seconds.append(timeout)
        return self.is_set()


@pytest.fixture
def outside(monkeypatch):
    """Tests run in a transaction, in which nothing would be repeated."""
    monkeypatch.setattr(patience, "connection", Mock(in_atomic_block=False))


def failing(times, error):
    left = [error] * times

    def call():
        if left:
            raise left.pop()
        return "answered"

    return call


@pytest.mark.parametrize("error", [OperationalError("database is locked"), InterfaceError("gone")])
def test_a_call_is_repeated_until_the_database_answers(outside, error):
    said, waits = [], Waits()
    assert Patience(say=said.append, stop=waits)(failing(8, error)) == "answered"
    assert waits.seconds == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0]
    assert said[0] == f"The database does not answer ({error}); next try in 0.5 s."
    assert patience.connection.close.call_count == 8


def test_other_errors_and_calls_in_a_transaction_are_not_repeated_nor_any_after_a_stop(outside):
    locked, waits = OperationalError("database is locked"), Waits()
    with pytest.raises(ValueError, match="a bug"):
        Patience(stop=waits)(failing(1, ValueError("a bug")))
    patience.connection.in_atomic_block = True
    with pytest.raises(OperationalError), transaction.atomic():
        Patience(stop=waits)(failing(1, locked))
    assert waits.seconds == []
    patience.connection.in_atomic_block = False
    waits.set()
    with pytest.raises(OperationalError):
        Patience(stop=waits)(failing(1, locked))


@pytest.mark.usefixtures("backwards")
def test_a_batch_whose_rows_could_not_be_written_is_written_later(outside, monkeypatch):
    run = fake.run(fake.corpus(5))
    original, errors = batches.Candidate.objects.bulk_create, [OperationalError("locked")]

    def written_then_lost(*arguments):
        made = original(*arguments)
        if errors:
            raise errors.pop()
        return made

    monkeypatch.setattr(batches.Candidate.objects, "bulk_create", written_then_lost)
    worker.step(run, patience=Patience(stop=Waits()))
    assert errors == []
    batch = run.batches.get()
    assert (batch.state, batch.attempts) == ("done", 1)
    assert run.candidate_set.count() == 4


def test_a_worker_is_known_while_it_works_shows_life_and_is_gone_afterwards(monkeypatch):
    beating, connection = Mock(side_effect=signs_of_life.beating), Mock()
    monkeypatch.setattr(signs_of_life, "beating", beating)
    monkeypatch.setattr(signs_of_life, "connection", connection)
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now)
    with signs_of_life.signs_of_life("embedded", ["gpu", "cpu"]):
        first = Worker.objects.get()
        assert (first.kind, first.queues, first.seen_at) == ("embedded", ["cpu", "gpu"], now)
        now += timedelta(seconds=15)
        [beat], options = beating.call_args
        assert beat()
        later = Worker.objects.get()
    assert options == {"every": 15.0}
    assert (later.pk, later.seen_at, later.started_at) == (first.pk, now, first.started_at)
    connection.close.assert_called_once_with()
    assert not Worker.objects.exists()


def test_a_worker_that_ended_without_a_word_is_forgotten_after_a_day():
    for name, age in [("dead", timedelta(hours=25)), ("silent", timedelta(hours=23))]:
        signs_of_life.show(name, "celery", ["cpu"])
        Worker.objects.filter(name=name).update(seen_at=clock.now() - age)
    signs_of_life.show("new", "celery", ["cpu"])
    assert set(Worker.objects.values_list("name", flat=True)) == {"new", "silent"}


def test_work_begins_and_ends_while_the_database_is_away(monkeypatch):
    away = Mock(side_effect=OperationalError("gone"))
    monkeypatch.setattr(signs_of_life, "show", away)
    monkeypatch.setattr(Worker.objects, "filter", away)
    worked = False
    with signs_of_life.signs_of_life("embedded", ["cpu"]):
        worked = True
    assert worked
    assert away.call_count == 2
