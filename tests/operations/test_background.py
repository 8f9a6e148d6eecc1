"""Work that waits for other machines."""

from threading import Event

from common.outages import Retry
from operations.management.commands import worker
from releases.services.hub import InBackground


class Waiting:
    """Work with two rows, of which the first waits until it may go on."""

    def __init__(self):
        self.rows, self.done = ["first", "second"], []
        self.begun, self.may_go_on = Event(), Event()

    def claim(self):
        return self.rows.pop(0) if self.rows else None

    def attempt(self, row, *, patience):
        self.begun.set()
        assert self.may_go_on.wait(60)
        self.done.append(row)


def test_one_row_at_a_time_is_done_in_the_background():
    work = Waiting()
    uploads = InBackground(work)
    assert uploads.start_next()
    assert work.begun.wait(60)
    assert not uploads.start_next()
    assert work.done == []
    work.may_go_on.set()
    uploads.thread.join(60)
    assert uploads.start_next()
    uploads.thread.join(60)
    assert work.done == ["first", "second"]
    assert not uploads.start_next()


def test_a_worker_does_not_wait_for_uploads(db, monkeypatch):
    begun = []
    monkeypatch.setattr(worker, "start_next_upload", lambda patience: begun.append(patience))
    patience = Retry()
    worker._work_once(patience, ["cpu"])
    assert begun == [patience]
