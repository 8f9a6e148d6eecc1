"""One batch: claimed, leased by the clock of the database, rewritten, failed, parked, written."""

import threading
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from common import clock, outages
from common.outages import Retry, heartbeat
from generation.models import GenerationRun, Worker
from generation.services import batches, worker
from support import fake
from support.workers import work_until_idle

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines, pytest.mark.usefixtures("backwards")]
LOCKED = OperationalError("database is locked")


@pytest.fixture
def run():
    return fake.run(fake.corpus(5))


def test_batches_are_claimed_once_in_order_the_oldest_run_of_a_workers_queues_first():
    corpus = fake.corpus(12)
    first, second = fake.run(corpus), fake.run(corpus)
    assert [batches.claim().number for _ in range(3)] == [1, 2, 3]
    assert batches.claim(first) is None
    as_read = second.batches.get(number=1)
    batches.fail(batches.claim(), RuntimeError("a\0b"))
    assert second.batches.get(number=1).error == "RuntimeError: a\\0b"
    assert not batches._claim_if_unchanged(
        as_read, batches.clock.now()
    )  # another worker has tried it since
    GenerationRun.objects.update(queue="gpu")
    assert batches.claim(queues=["cpu"]) is batches.claim(second, queues=["cpu"]) is None
    assert batches.claim(queues=["cpu", "gpu"]).run == second


def test_a_finished_batch_holds_its_candidates_and_counts_its_outcomes(run):
    worker.step(run)
    batch = run.batches.get()
    assert batch.outcomes == {"too_short": 1, "accepted": 4}
    assert (batch.state, batch.lease, batch.lease_until, batch.attempts) == ("done", None, None, 1)
    columns = ("kind", "rank", "sentence__text", "text", "score", "probability")
    columns += ("similarity", "inversion_rate")
    expected = ("other", 0, "sentence number 1", "1 number sentence", -7.0, 0.75, 1.0, 1.0)
    assert run.candidate_set.order_by("sentence").values_list(*columns)[0] == expected


def test_a_batch_that_fails_three_times_is_parked_and_the_others_are_done_before():
    run = fake.run(fake.corpus(15), fails_on="sentence number 7")
    for attempts, states in [(3, ["done", "open", "done"]), (2, ["done", "parked", "done"])]:
        assert [worker.step(run) for _ in range(attempts)] == [True] * attempts
        assert list(run.batches.order_by("number").values_list("state", flat=True)) == states
    parked = run.batches.get(state="parked")
    assert (parked.attempts, parked.candidates.count()) == (3, 0)
    assert parked.error == "MemoryError: cannot rewrite 'sentence number 7'"
    run.refresh_from_db()
    assert (run.state, worker.step(run)) == ("done", False)


def test_a_sentence_that_makes_the_method_fail_is_left_out_alone(monkeypatch):
    usual = fake.Backwards.outcomes

    def outcomes(self, texts):
        if "sentence number 7" in texts or "sentence number 8" in texts:
            raise ValueError(f"no such word\0 in {texts[-1]}")
        return usual(self, texts)

    undisturbed, run = fake.run(corpus := fake.corpus(15)), fake.run(corpus)
    work_until_idle(undisturbed)
    monkeypatch.setattr(fake.Backwards, "outcomes", outcomes)
    assert work_until_idle(run) == 3
    batch = run.batches.get(number=2)
    assert (batch.state, batch.attempts) == ("done", 1)
    assert batch.outcomes == {"accepted": 3, "failed": 2}
    failed = corpus.sentence_set.get(text="sentence number 8")
    assert batch.error == f"Sentence {failed.public_id}: ValueError: no such word\\0 in {failed}"
    missing = {"7 number sentence", "8 number sentence"}
    assert fake.rows(run) == [row for row in fake.rows(undisturbed) if row[3] not in missing]


def test_an_interrupted_attempt_does_not_count_and_a_wrong_one_fails(run, monkeypatch):
    monkeypatch.setattr(fake.Backwards, "outcomes", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        worker.step(run)
    batch = run.batches.get()
    assert (batch.state, batch.lease, batch.attempts) == ("open", None, 0)
    monkeypatch.setattr(fake.Backwards, "outcomes", lambda *_: [])  # too few
    worker.step(run)
    assert "zip()" in run.batches.get().error
    monkeypatch.setattr(fake, "IDENTITIES", {"model": {"name": "forwards"}})
    worker.step(run)
    assert run.batches.get().error.startswith("The models have changed")


@pytest.fixture
def time(monkeypatch):
    """Passes when a test lets it, and then so do the intervals between renewals."""
    time = SimpleNamespace(now=datetime(2026, 3, 2, 9, tzinfo=UTC))

    @contextmanager
    def heartbeat(beat, *, seconds):
        time.beat, time.every = beat, seconds
        yield

    monkeypatch.setattr(clock, "now", lambda: time.now)
    monkeypatch.setattr(batches, "monotonic", lambda: time.now.timestamp())
    monkeypatch.setattr(batches, "heartbeat", heartbeat)
    return time


def test_a_lease_lasts_half_a_minute_but_no_longer_than_its_method_allows(time):
    for allowed, lasts in ((60, 30), (5, 5)):
        fake.install(lease_seconds=allowed)
        batch = batches.claim(fake.run(fake.corpus(1, f"{allowed}")))
        assert batch.lease_until - time.now == timedelta(seconds=lasts)
    assert batches.renew(batch, at_most=timedelta(seconds=7))
    batch.refresh_from_db()
    assert batch.lease_until - time.now == timedelta(seconds=7)
    assert not batches.renew(batch, at_most=timedelta())
    for back, is_free in ((60, False), (3600, True), (86_400, True)):  # the clock went back
        batch.run.batches.update(lease_until=time.now + timedelta(seconds=30), attempts=0)
        time.now -= timedelta(seconds=back)
        assert (batches.claim(batch.run) is not None) is is_free, back


def test_a_slow_worker_keeps_a_batch_while_it_may_renew_its_lease(time, monkeypatch):
    outcomes = fake.Backwards.outcomes
    for allowed, renews, left in [
        (60, True, ("done", 1, 4)),
        (60, False, ("open", 2, 0)),
        (20, True, ("open", 2, 0)),
    ]:
        fake.install(lease_seconds=allowed)
        run, rivals = fake.run(fake.corpus(5, f"{allowed} {renews}")), []

        def slow(*arguments, renewed=renews, rivals=rivals):
            for _ in range(int(50 / time.every)):
                time.now += timedelta(seconds=time.every)
                renewed = renewed and time.beat()
            rivals.append(batches.claim())
            return outcomes(*arguments)

        monkeypatch.setattr(fake.Backwards, "outcomes", slow)
        worker.step(run)
        batch = run.batches.get()
        assert rivals == [None if left[0] == "done" else batch]
        assert (batch.state, batch.attempts, run.candidate_set.count()) == left
        run.batches.update(lease_until=time.now + timedelta(minutes=1))


def test_an_expired_lease_goes_to_another_worker_twice_and_a_late_one_writes_nothing(run, time):
    late = batches.claim(run)
    time.now += timedelta(seconds=29.9)
    assert batches.claim(run) is None
    time.now += timedelta(seconds=0.1)
    prompt = batches.claim(run)
    assert (prompt.pk, prompt.attempts) == (late.pk, 2)
    time.now += timedelta(seconds=60)
    assert batches.work(prompt)  # late as well, but it was not claimed again
    before = fake.rows(run)
    failed = batches.fail(late, RuntimeError("too late"))
    assert (batches.work(late), failed, batches.give_back(late)) == (False, False, False)
    assert (fake.rows(run), run.batches.get().state) == (before, "done")
    again = fake.run(run.corpus)
    for _ in range(3):
        assert batches.claim(again)  # by workers that die over it
        time.now += timedelta(seconds=30)
    assert batches.claim(again) is None
    assert (again.batches.get().state, again.batches.get().error) == ("parked", batches.LOST)


@pytest.mark.postgres
def test_a_machine_whose_clock_is_slow_gives_leases_as_all_others_do(run, monkeypatch):
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(hours=1))
    assert batches.claim(run).lease_until > real()
    assert batches.claim(run) is None


def test_a_beat_that_the_database_does_not_take_is_followed_by_another_until_the_work_ends():
    beats, enough = [OperationalError("away"), OperationalError("still away")], threading.Event()

    def beat():
        if beats:
            raise beats.pop()
        enough.set()
        return True

    with heartbeat(beat, seconds=0):
        assert enough.wait(60)
    assert "heartbeat" not in {thread.name for thread in threading.enumerate()}


@pytest.fixture
def stop(monkeypatch):
    """Waits are over at once. Outside the transaction of a test, in which no call is repeated."""
    monkeypatch.setattr(outages, "connection", Mock(in_atomic_block=False))
    return Mock(**{"wait.return_value": False})


def test_a_call_is_repeated_after_longer_waits_outside_a_transaction_and_until_a_stop(stop):
    for error in (LOCKED, InterfaceError("gone")):
        say, call = Mock(), Mock(side_effect=[*[error] * 8, "answered"])
        stop.wait.reset_mock()
        assert Retry(say=say, stop=stop)(call) == "answered"
        waits = [seconds for ((seconds,), _) in stop.wait.call_args_list]
        assert waits == [0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 30.0]
        said = f"The database does not answer ({error}); next try in 0.5 s."
        assert say.call_args_list[0] == ((said,),)
    assert outages.connection.close.call_count == 16
    for error, in_transaction, stopped in [
        (ValueError("a bug"), False, False),
        (LOCKED, True, False),
        (LOCKED, False, True),
    ]:
        outages.connection.in_atomic_block, stop.wait.return_value = in_transaction, stopped
        with pytest.raises(type(error)):
            Retry(stop=stop)(call := Mock(side_effect=error))
        assert call.call_count == 1


def test_a_batch_whose_rows_could_not_be_written_is_written_later(stop, run, monkeypatch):
    original, errors = batches.Candidate.objects.bulk_create, [LOCKED]

    def written_then_lost(*arguments):
        made = original(*arguments)
        if errors:
            raise errors.pop()
        return made

    monkeypatch.setattr(batches.Candidate.objects, "bulk_create", written_then_lost)
    worker.step(run, patience=Retry(stop=stop))
    batch = run.batches.get()
    assert (errors, batch.state, batch.attempts, batch.candidates.count()) == ([], "done", 1, 4)


def test_a_worker_shows_life_while_it_works_also_without_the_database(monkeypatch):
    heartbeat, now = Mock(side_effect=worker.heartbeat), clock.now()
    monkeypatch.setattr(worker, "heartbeat", heartbeat)
    monkeypatch.setattr(worker, "connection", Mock())
    monkeypatch.setattr(clock, "now", lambda: now)
    for name, hours in [("dead", 25), ("silent", 23)]:
        worker.store_heartbeat(name, "celery", ["cpu"])
        Worker.objects.filter(name=name).update(seen_at=now - timedelta(hours=hours))
    with worker.send_heartbeats("embedded", ["gpu", "cpu"]):
        first, silent = Worker.objects.order_by("-seen_at")
        assert silent.name == "silent"  # of the dead nothing is left
        assert (first.kind, first.queues, first.seen_at) == ("embedded", ["cpu", "gpu"], now)
        now += timedelta(seconds=15)
        (beat,), options = heartbeat.call_args
        assert (beat(), options) == (True, {"seconds": 15.0})
        later = Worker.objects.get(pk=first.pk)
        assert (later.seen_at, later.started_at) == (now, first.started_at)
    assert Worker.objects.get() == silent
    away = Mock(side_effect=OperationalError("gone"))
    monkeypatch.setattr(worker, "store_heartbeat", away)
    monkeypatch.setattr(Worker.objects, "filter", away)
    with worker.send_heartbeats("embedded", ["cpu"]):
        assert away.call_count == 1
    assert away.call_count == 2
