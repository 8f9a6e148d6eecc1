"""Workers outlive a database that is busy or gone for a while, and are known while they work."""

from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.db import InterfaceError, OperationalError

from generation import clock
from generation.models import Worker
from generation.services import batches, patience, signs_of_life, worker
from generation.services.patience import Patience
from tests.generation import fake

pytestmark = pytest.mark.django_db
LOCKED = OperationalError("database is locked")


@pytest.fixture
def stop(monkeypatch):
    """Waits are over at once. Outside the transaction of a test, in which no call is repeated."""
    monkeypatch.setattr(patience, "connection", Mock(in_atomic_block=False))
    return Mock(**{"wait.return_value": False})


def test_a_call_is_repeated_until_the_database_answers_after_longer_and_longer_waits(stop):
    for error in (LOCKED, InterfaceError("gone")):
        say, call = Mock(), Mock(side_effect=[*[error] * 8, "answered"])
        stop.wait.reset_mock()
        assert Patience(say=say, stop=stop)(call) == "answered"
        waits = [seconds for ((seconds,), _) in stop.wait.call_args_list]
        assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0]
        said = f"The database does not answer ({error}); next try in 0.5 s."
        assert say.call_args_list[0] == ((said,),)
    assert patience.connection.close.call_count == 16


def test_other_errors_and_calls_in_a_transaction_are_not_repeated_nor_any_after_a_stop(stop):
    for error, in_transaction, stopped in [
        (ValueError("a bug"), False, False),
        (LOCKED, True, False),
        (LOCKED, False, True),
    ]:
        patience.connection.in_atomic_block = in_transaction
        stop.wait.return_value = stopped
        call = Mock(side_effect=error)
        with pytest.raises(type(error)):
            Patience(stop=stop)(call)
        assert call.call_count == 1


@pytest.mark.usefixtures("backwards")
def test_a_batch_whose_rows_could_not_be_written_is_written_later(stop, monkeypatch):
    run = fake.run(fake.corpus(5))
    original, errors = batches.Candidate.objects.bulk_create, [LOCKED]

    def written_then_lost(*arguments):
        made = original(*arguments)
        if errors:
            raise errors.pop()
        return made

    monkeypatch.setattr(batches.Candidate.objects, "bulk_create", written_then_lost)
    worker.step(run, patience=Patience(stop=stop))
    batch = run.batches.get()
    found = (errors, batch.state, batch.attempts, run.candidate_set.count())
    assert found == ([], "done", 1, 4)


def test_a_worker_shows_life_while_it_works_also_without_the_database(monkeypatch):
    beating, now = Mock(side_effect=signs_of_life.beating), clock.now()
    monkeypatch.setattr(signs_of_life, "beating", beating)
    monkeypatch.setattr(signs_of_life, "connection", Mock())
    monkeypatch.setattr(clock, "now", lambda: now)
    for name, hours in [("dead", 25), ("silent", 23)]:
        signs_of_life.show(name, "celery", ["cpu"])
        Worker.objects.filter(name=name).update(seen_at=now - timedelta(hours=hours))
    with signs_of_life.signs_of_life("embedded", ["gpu", "cpu"]):
        first, silent = Worker.objects.order_by("-seen_at")
        assert silent.name == "silent"  # of the dead nothing is left
        assert (first.kind, first.queues, first.seen_at) == ("embedded", ["cpu", "gpu"], now)
        now += timedelta(seconds=15)
        (beat,), options = beating.call_args
        assert (beat(), options) == (True, {"every": 15.0})
        later = Worker.objects.get(pk=first.pk)
        assert (later.seen_at, later.started_at) == (now, first.started_at)
        signs_of_life.connection.close.assert_called_once_with()
    assert Worker.objects.get() == silent
    away = Mock(side_effect=OperationalError("gone"))
    monkeypatch.setattr(signs_of_life, "show", away)
    monkeypatch.setattr(Worker.objects, "filter", away)
    with signs_of_life.signs_of_life("embedded", ["cpu"]):
        assert away.call_count == 1
    assert away.call_count == 2
