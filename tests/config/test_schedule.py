"""The schedule continues when the clock is set back."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from celery import Celery
from celery.beat import PersistentScheduler
from celery.schedules import schedule

from config.celery import SteadyScheduler
from config.celery import app as our_app

EVERY, HOUR = 15.0, timedelta(hours=1)


class Clocked(Celery):
    """An application whose clock is set by hand."""

    time = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time


def time_now() -> datetime:
    """For schedules, which are pickled without their application."""
    return Clocked.time


def sent_after_the_clock_went_back(kind: type[PersistentScheduler], folder: Path) -> set[str]:
    """What is sent in the first twenty seconds after the clock was set back by an hour."""
    app = Clocked("clocked", broker="memory://", set_as_current=False)
    app.conf.result_expires = None  # or it would be cleaned up by another clock
    every = schedule(EVERY, nowfun=time_now)
    app.conf.beat_schedule = {name: {"task": name, "schedule": every} for name in ("one", "two")}
    scheduler, sent = kind(app, schedule_filename=str(folder)), list[str]()
    scheduler.apply_entry = lambda entry, **_: sent.append(entry.task)
    scheduler.setup_schedule()
    pass_time(scheduler, Clocked.time, seconds=60)
    assert {"one", "two"} <= set(sent)
    sent.clear()
    pass_time(scheduler, Clocked.time - HOUR, seconds=20)
    return set(sent)


def pass_time(scheduler: PersistentScheduler, start: datetime, *, seconds: int) -> None:
    for second in range(seconds):
        Clocked.time = start + timedelta(seconds=second)
        for _ in range(5):  # each sends one entry at most
            scheduler.tick()


def test_after_the_clock_went_back_an_hour_every_entry_is_sent_within_its_interval(tmp_path):
    ours, celerys = tmp_path / "ours", tmp_path / "celerys"

    assert sent_after_the_clock_went_back(SteadyScheduler, ours) == {"one", "two"}
    assert sent_after_the_clock_went_back(PersistentScheduler, celerys) == set()
    assert our_app.conf.beat_scheduler == "config.celery:SteadyScheduler"
