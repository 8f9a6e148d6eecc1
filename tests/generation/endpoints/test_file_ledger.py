"""Replies in a file: paid once by any number of processes, within a limit."""

import sqlite3

import pytest

from generation.endpoints.chat import Go, Interrupted, Request
from generation.endpoints.client import Chat
from generation.endpoints.file_ledger import FileLedger
from tests.endpoint_server import fails, model_of, serving

REQUESTS = [
    Request((("user", f"Cat {sample} – sleeps."),), 0.8, 0.95, 64, seed=sample, sample=sample)
    for sample in range(20)
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "replies.sqlite3"


def test_what_another_process_has_paid_for_is_not_asked_again(path):
    with serving() as server:
        model = model_of(server)
        first = list(Chat(model, FileLedger(path, 10_000)).ask(REQUESTS[:15]))
        both = list(Chat(model, FileLedger(path, 10_000)).ask(REQUESTS))
    assert len(server.bodies) == 20
    assert {reply.text for reply in both} == {f"Cat {number} – sleeps." for number in range(20)}
    by_digest = {reply.digest: reply for reply in both}
    assert all(by_digest[reply.digest] == reply for reply in first)


def test_a_limit_counts_all_replies_of_the_file_and_can_be_raised(path):
    with serving() as server:
        model = model_of(server, parallel=1)
        for most in (250, 250, 330):
            with pytest.raises(Interrupted) as stopped:
                list(Chat(model, FileLedger(path, most)).ask(REQUESTS))
            assert stopped.value.go is Go.LIMIT
            # A reply has 30 tokens; about 90 are reserved for the next one.
            assert most - 90 <= 30 * len(server.bodies) <= most
        assert len(list(Chat(model, FileLedger(path, 10_000)).ask(REQUESTS))) == 20
    assert len(server.bodies) == 20


def test_a_limit_of_cost_counts_all_replies_of_the_file(path):
    with serving() as server:
        model = model_of(server, parallel=1, price_in=1.0, price_out=1.0)
        # A reply has 30 tokens, each of which costs a millionth; about 90 are reserved for one.
        for most in (250, 250, 330):
            with pytest.raises(Interrupted):
                list(Chat(model, FileLedger(path, 10_000, most)).ask(REQUESTS))
            assert most - 90 <= 30 * len(server.bodies) <= most


def test_a_refused_request_is_asked_again_by_the_next_process(path):
    with serving(fails(400)) as server:
        model = model_of(server)
        for refused in (1, 0):
            replies = list(Chat(model, FileLedger(path, 10_000)).ask(REQUESTS[:3]))
            assert sum(bool(reply.refused) for reply in replies) == refused
    assert len(server.bodies) == 4


def test_another_file_is_refused(path):
    path.write_text("This is no database, but a text of some length." * 50)
    with pytest.raises(sqlite3.DatabaseError):
        FileLedger(path, 100)
