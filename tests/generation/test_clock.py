"""Leases are told by one clock, and those that it made too long when it went back are over."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from generation import clock
from generation.models import Batch
from generation.services import batches
from tests.generation import fake

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("backwards")]

HOUR = timedelta(hours=1)
REAL_NOW = timezone.now


def test_the_clock_is_that_of_the_database() -> None:
    assert abs(clock.now() - timezone.now()) < timedelta(seconds=5)
    assert clock.now().utcoffset() == timedelta()


@pytest.mark.postgres
def test_a_machine_whose_clock_is_an_hour_slow_gives_leases_as_all_others_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake.run(fake.corpus(5))
    monkeypatch.setattr(timezone, "now", lambda: REAL_NOW() - HOUR)

    claimed = batches.claim()

    assert claimed is not None
    assert claimed.lease_until is not None
    assert claimed.lease_until > REAL_NOW()
    assert batches.claim() is None


@pytest.mark.parametrize("back", [HOUR, timedelta(days=1)])
def test_a_batch_whose_worker_died_before_the_clock_went_back_is_free_at_once(
    back: timedelta,
) -> None:
    fake.run(fake.corpus(5))
    assert batches.claim() is not None

    _given_by_a_clock_that_was_ahead(back)

    assert batches.claim() is not None


def test_without_that_rule_it_would_be_held_for_the_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    """The control."""
    fake.run(fake.corpus(5))
    assert batches.claim() is not None
    monkeypatch.setattr(clock, "BEYOND_ANY_LEASE", timedelta(days=2))

    _given_by_a_clock_that_was_ahead(HOUR)

    assert batches.claim() is None


def test_a_batch_that_is_held_stays_so_where_clocks_differ_a_little() -> None:
    fake.run(fake.corpus(5))
    assert batches.claim() is not None

    _given_by_a_clock_that_was_ahead(timedelta(seconds=60))

    assert batches.claim() is None


def test_a_lease_is_renewed_for_as_long_as_its_method_allows_whatever_clocks_say() -> None:
    fake.run(fake.corpus(5))
    batch = batches.claim()
    assert batch is not None

    assert batches.renew(batch, at_most=timedelta(seconds=5))
    assert Batch.objects.get().lease_until < _soon(6)
    assert not batches.renew(batch, at_most=timedelta())


def _given_by_a_clock_that_was_ahead(by: timedelta) -> None:
    batch = Batch.objects.get()
    Batch.objects.update(lease_until=batch.lease_until + by)


def _soon(seconds: float) -> datetime:
    return REAL_NOW() + timedelta(seconds=seconds)
