"""Workers are known for as long as they work."""

from datetime import timedelta
from threading import Event

import pytest
from django.db import OperationalError

from generation import clock
from generation.models import Worker
from generation.services import signs_of_life as services
from generation.services.signs_of_life import signs_of_life

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_worker_is_known_while_it_works_and_gone_afterwards() -> None:
    with signs_of_life("embedded", ["gpu", "cpu"]):
        worker = Worker.objects.get()
        assert (worker.kind, worker.queues) == ("embedded", ["cpu", "gpu"])
        assert clock.now() - worker.seen_at < timedelta(seconds=5)

    assert not Worker.objects.exists()


def test_it_shows_life_again_and_again_whatever_it_is_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "BEAT_SECONDS", 0.05)
    with signs_of_life("embedded", ["cpu"]):
        first = Worker.objects.get()
        Event().wait(0.5)
        later = Worker.objects.get()

    assert later.seen_at > first.seen_at
    assert later.started_at == first.started_at


def test_a_process_that_nobody_took_leave_of_is_forgotten_after_a_day() -> None:
    for name, age in [("dead", timedelta(hours=25)), ("silent", timedelta(hours=23))]:
        services.show(name, "celery", ["cpu"])
        Worker.objects.filter(name=name).update(seen_at=clock.now() - age)

    services.show("new", "celery", ["cpu"])

    assert set(Worker.objects.values_list("name", flat=True)) == {"new", "silent"}


def test_work_begins_and_ends_though_the_database_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(services, "show", away)
    monkeypatch.setattr(Worker.objects, "filter", away)
    worked = False
    with signs_of_life("embedded", ["cpu"]):
        worked = True

    assert worked
