"""Work that waits for other machines."""

from threading import Event, current_thread

from common.background import InBackground
from common.outages import Retry
from operations.management.commands import worker
from releases.services.hub import UPLOADS


class Waiting(InBackground):
    """Work with two rows, of which the first waits until it may go on."""

    threads, rows, done = [], ["first", "second"], []
    begun, may_go_on = Event(), Event()

    def __init__(self):
        pass

    def claim(self):
        return self.rows.pop(0) if self.rows else None

    def attempt(self, row, *, patience):
        self.begun.set()
        assert self.may_go_on.wait(60)
        self.done.append(row)


def test_rows_are_done_one_after_another_in_the_background():
    work = Waiting()
    assert work.do_next()
    assert work.begun.wait(60)
    assert not work.do_next()
    assert (work.rows, work.done) == (["second"], [])
    work.may_go_on.set()
    work.threads[0].join(60)
    assert work.done == ["first", "second"]
    assert not work.do_next()


def test_a_worker_does_not_wait_for_uploads(db, monkeypatch):
    rows, threads = ["row"], []
    monkeypatch.setattr(
        InBackground, "claim", lambda work: rows.pop() if rows and work is UPLOADS else None
    )
    monkeypatch.setattr(InBackground, "attempt", lambda *_, **__: threads.append(current_thread()))
    worker._work_once(Retry(), ["cpu"])
    UPLOADS.threads[0].join(60)
    assert threads == UPLOADS.threads
