"""A web server ends connections whose body is slow or incomplete."""

import socket

import pytest

from config import gunicorn as pace
from config.gunicorn import PATIENCE, SLOWEST, PacedSocket, abandon


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
def test_gunicorn_does_not_wait_for_an_abandoned_sender_who_stays(ends, sent, monkeypatch):
    monkeypatch.setattr(pace, "LINGER", 0.01)
    ours, theirs = ends[0].connection, ends[1]
    theirs.send(sent)
    abandon(ours)
    ours.settimeout(0)
    assert ours.recv(10) == b""


def test_one_thread_at_a_time_waits_for_abandoned_senders(ends, monkeypatch):
    monkeypatch.setattr(pace, "LINGER", -1.0)  # an error as soon as it is used
    with pace._waiting:
        abandon(ends[0].connection)
    with pytest.raises(ValueError, match="Timeout"):
        abandon(ends[0].connection)
