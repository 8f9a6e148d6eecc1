"""A batch is leased by the database's clock, and its lease is renewed while it is worked."""

import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest
from django.db import OperationalError
from django.utils import timezone

from generation import clock, methods
from generation.services import batches, worker
from generation.services.heartbeat import beating
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@dataclass
class FrozenTime:
    """Passes when a test lets it; whoever has a lease to renew does so in time, if asked to."""

    now: datetime = datetime(2026, 3, 2, 9, tzinfo=UTC)
    beat = None
    renews = True

    def seconds(self):
        return self.now.timestamp()

    def pass_by(self, seconds):
        self.now += timedelta(seconds=seconds)

    def work_for(self, seconds):
        """As the thread beside the work does: a beat after each interval, until one is refused."""
        for _ in range(int(seconds / self.every)):
            self.pass_by(self.every)
            self.renews = self.renews and self.beat()

    @contextmanager
    def beating(self, beat, *, every):
        self.beat, self.every = beat, every
        yield


@pytest.fixture
def time(monkeypatch):
    time = FrozenTime()
    monkeypatch.setattr(clock, "now", lambda: time.now)
    monkeypatch.setattr(batches, "monotonic", time.seconds)
    monkeypatch.setattr(batches, "beating", time.beating)
    return time


@pytest.fixture
def method(monkeypatch):
    def allows(seconds):
        allowing = replace(fake.METHOD, lease=timedelta(seconds=seconds))
        monkeypatch.setitem(methods.METHODS, "word_swap", allowing)

    allows(60)
    return allows


@pytest.fixture
def rivals(time, monkeypatch):
    """What another worker claims after 50 seconds of work on a batch."""
    claims = []
    outcomes = fake.Backwards.outcomes

    def slow(*arguments):
        time.work_for(50)
        claims.append(batches.claim())
        return outcomes(*arguments)

    monkeypatch.setattr(fake.Backwards, "outcomes", slow)
    return claims


def test_a_lease_lasts_half_a_minute_but_no_longer_than_its_method_allows(time, method):
    for allowed, lasts in ((60, 30), (5, 5)):
        method(allowed)
        batch = batches.claim(fake.run(fake.corpus(1, f"{allowed}")))
        assert batch.lease_until == time.now + timedelta(seconds=lasts)
    assert batches.renew(batch, at_most=timedelta(seconds=7))
    batch.refresh_from_db()
    assert batch.lease_until == time.now + timedelta(seconds=7)
    assert not batches.renew(batch, at_most=timedelta())


def test_a_slow_worker_that_renews_its_lease_keeps_its_batch(time, method, rivals):
    run = fake.run(fake.corpus(5))
    assert worker.step(run)
    assert rivals == [None]
    assert (run.batches.get().state, run.batches.get().attempts) == ("done", 1)


@pytest.mark.parametrize(("allowed", "renews"), [(60, False), (20, True)])
def test_without_renewals_or_beyond_what_its_method_allows_it_loses_the_batch(
    time, method, rivals, allowed, renews
):
    method(allowed)
    time.renews = renews
    run = fake.run(fake.corpus(5))
    worker.step(run)
    batch = run.batches.get()
    assert rivals == [batch]
    assert (batch.state, batch.attempts, run.candidate_set.count()) == ("open", 2, 0)


def test_an_expired_lease_goes_to_another_worker_and_the_late_one_writes_nothing(time):
    run = fake.run(fake.corpus(5))
    late = batches.claim(run)
    time.pass_by(29.9)
    assert batches.claim(run) is None
    time.pass_by(0.1)
    prompt = batches.claim(run)
    assert (prompt.pk, prompt.attempts) == (late.pk, 2)
    assert batches.work(prompt)
    before = fake.rows(run)
    assert not batches.work(late)
    assert not batches.fail(late, RuntimeError("too late"))
    assert not batches.give_back(late)
    assert fake.rows(run) == before
    assert run.batches.get().state == "done"


def test_a_late_worker_whose_batch_was_not_claimed_again_may_still_write(time):
    late = batches.claim(fake.run(fake.corpus(5)))
    time.pass_by(60)
    assert batches.work(late)


def test_a_batch_over_which_three_workers_died_is_parked(time):
    run = fake.run(fake.corpus(5))
    for _ in range(3):
        assert batches.claim(run).attempts <= 3
        time.pass_by(30)
    assert batches.claim(run) is None
    batch = run.batches.get()
    assert (batch.state, batch.error) == ("parked", batches.LOST)


def test_a_lease_from_before_the_clock_went_back_does_not_hold_a_batch(time):
    for back, is_free in ((60, False), (3600, True), (86_400, True)):
        run = fake.run(fake.corpus(5, f"{back}"))
        batches.claim(run)
        time.pass_by(-back)
        assert (batches.claim(run) is not None) is is_free, back


@pytest.mark.both_engines
def test_the_clock_is_that_of_the_database():
    before = timezone.now()
    told = clock.now()
    assert before <= told <= timezone.now()
    assert told.utcoffset() == timedelta()


@pytest.mark.postgres
def test_a_machine_whose_clock_is_slow_gives_leases_as_all_others_do(monkeypatch):
    run, real = fake.run(fake.corpus(5)), timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(hours=1))
    assert batches.claim(run).lease_until > real()
    assert batches.claim(run) is None


def test_a_beat_that_the_database_does_not_take_is_followed_by_another():
    beats, enough = [OperationalError("away"), OperationalError("still away"), True], Event()

    def beat():
        if isinstance(answer := beats.pop(0), Exception):
            raise answer
        enough.set()
        return False

    with beating(beat, every=0):
        assert enough.wait(60)
    assert beats == []


def test_the_beats_end_with_the_work():
    begun = Event()
    with beating(lambda: begun.set() or True, every=0):
        assert begun.wait(60)
    assert "heartbeat" not in {thread.name for thread in threading.enumerate()}
