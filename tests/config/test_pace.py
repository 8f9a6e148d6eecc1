"""A web server ends connections whose body is slow or incomplete."""

import socket

import pytest

from config import pace
from config.pace import PATIENCE, SLOWEST, PacedSocket, abandon


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield PacedSocket(ours), theirs


def test_a_sender_who_stops_is_cut_off(ends, monkeypatch):
    monkeypatch.setattr(pace, "PATIENCE", 0.05)
    ours = PacedSocket(ends[0].connection)
    ends[1].send(b"x" * SLOWEST)
    assert len(ours.recv(SLOWEST)) == SLOWEST
    with pytest.raises(TimeoutError):
        ours.recv(1)


def test_bytes_earn_time_but_never_more_than_the_first_delay(ends, monkeypatch):
    ours, theirs = ends
    clock = iter([0, 29, 29, 30, 30, 30 + PATIENCE + 0.5])
    monkeypatch.setattr(pace, "monotonic", lambda: next(clock))
    theirs.send(b"x" * SLOWEST * 2)
    assert ours.recv(SLOWEST)  # after 29 seconds, and earns one back
    assert ours.recv(SLOWEST)
    theirs.send(b"x")
    with pytest.raises(TimeoutError):
        ours.recv(1)


def test_an_incomplete_body_is_an_error(ends):
    ours, theirs = ends
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionAbortedError):
        ours.recv(10)


@pytest.mark.parametrize("sent", [b"", b"x"])
def test_nobody_waits_for_an_abandoned_sender_who_stays(ends, sent):
    ours, theirs = ends[0].connection, ends[1]
    theirs.send(sent)
    abandon(ours, linger=0)
    ours.settimeout(0)  # as long as gunicorn may wait for the end of what is sent
    assert ours.recv(10) == b""
