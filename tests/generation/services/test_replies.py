"""Runs with models behind endpoints: a reply is paid once, limits hold, servers may be away."""

from datetime import timedelta
from unittest.mock import Mock
from uuid import uuid4

import pytest
from django.utils import timezone

from common import clock
from common.outages import Retry
from generation import run_figures, selectors
from generation.endpoints import chat
from generation.endpoints.chat import EndpointDown, EndpointRefused, Go, Interrupted
from generation.models import GenerationRun, Queue, Reply
from generation.services import batches, replies, runs, worker
from generation.services.replies import DatabaseLedger
from support import fake

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def run():
    run = fake.run(fake.corpus(12))
    GenerationRun.objects.update(queue=Queue.ENDPOINT, most_tokens=1_000)
    run.refresh_from_db()
    return run


def answer(**values):
    usual = {"model": "local:small", "text": "Boats sail.", "finish": "stop", "tokens_in": 90}
    usual |= {"tokens_out": 10, "estimated": False, "cost": 7, "logprobs": {"1": -0.25}}
    usual |= {"reported": "small-1", "seconds": 0.5, "digest": uuid4()}
    return chat.Reply(**usual | values)


def test_a_reply_is_found_again_as_it_came(run):
    new = answer()
    assert DatabaseLedger(run).store([new]) is Go.GO
    ledger = DatabaseLedger(run)
    assert ledger.stored({new.digest, uuid4()}) == {new.digest: new}
    assert ledger.reused == 0


def test_refusals_are_not_kept(run):
    DatabaseLedger(run).store([answer(refused="400: too long", text="")])
    run.refresh_from_db()
    assert (Reply.objects.count(), run.usage) == (0, {})


def test_a_run_counts_what_all_its_workers_use(run):
    for ledger in (DatabaseLedger(run), DatabaseLedger(run)):
        ledger.store([answer(), answer(reported="small-2", estimated=True)])
    run.refresh_from_db()
    sums = {"replies": 4, "tokens_in": 360, "tokens_out": 40, "cost": 28, "estimated": 2}
    assert run.usage == sums | {"reported": ["small-1", "small-2"]}
    assert (run.tokens_used, run.cost_used) == (400, 28)


def test_the_worst_case_of_requests_under_way_is_reserved(run):
    ledger, first = DatabaseLedger(run), answer()
    assert ledger.reserve(first.digest, 600, 0)
    assert not ledger.reserve(uuid4(), 600, 0)
    ledger.store([first])
    assert ledger.reserve(uuid4(), 900, 0)
    assert not ledger.reserve(uuid4(), 1, 0)


def test_the_limit_of_cost_is_held_too(run):
    GenerationRun.objects.update(most_cost=10)
    run.refresh_from_db()
    ledger = DatabaseLedger(run)
    assert ledger.reserve(uuid4(), 1, 8)
    assert not ledger.reserve(uuid4(), 1, 3)


def test_nothing_is_asked_for_a_paused_run(run):
    ledger = DatabaseLedger(run)
    runs.steer(run, runs.Action.PAUSE)
    assert ledger.store([answer()]) is Go.STOPPED
    assert Reply.objects.count() == 1


def test_a_worker_that_stops_asks_nothing_more(run):
    patience = Retry()
    patience.stop.set()
    assert DatabaseLedger(run, patience=patience).store([]) is Go.STOPPED


def test_a_slow_batch_ends_before_its_lease(run):
    assert DatabaseLedger(run, lasts=timedelta(seconds=-1)).store([]) is Go.LATE


def interrupted(run, monkeypatch, error):
    """The run after a worker met an error of its endpoint: the batch is as if never claimed."""
    monkeypatch.setattr(fake.Backwards, "outcomes", Mock(side_effect=error))
    assert worker.step(run)
    batch = run.batches.get(number=1)
    assert (batch.state, batch.lease, batch.attempts, batch.error) == ("open", None, 0, "")
    run.refresh_from_db()
    return run


@pytest.mark.parametrize("go", [Go.STOPPED, Go.LATE])
def test_a_run_goes_on_after_a_worker_gave_a_batch_back(run, monkeypatch, go):
    assert interrupted(run, monkeypatch, Interrupted(go)).state == "running"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (Interrupted(Go.LIMIT), GenerationRun.AT_LIMIT),
        (EndpointRefused("local answered 401: its key may be wrong."), "local answered 401"),
    ],
)
def test_a_run_is_paused_if_going_on_needs_a_person(run, monkeypatch, error, reason):
    run = interrupted(run, monkeypatch, error)
    assert run.state == "paused"
    assert run.paused_because.startswith(reason)


def test_another_model_under_its_name_pauses_a_run(run, monkeypatch):
    identity = {"name": "local:small", "served": "B"}
    monkeypatch.setattr(fake, "IDENTITIES", {"model": identity})
    run = interrupted(run, monkeypatch, None)
    assert run.paused_because.endswith("is local:small, B. Start a new run, which uses these.")


@pytest.fixture
def now(monkeypatch):
    now = Mock(return_value=timezone.now())
    monkeypatch.setattr(clock, "now", now)
    return now


def test_a_silent_server_is_asked_more_and_more_rarely_until_a_person_must_act(
    run, monkeypatch, now
):
    pauses = []
    while interrupted(run, monkeypatch, EndpointDown("local does not answer")).waits_until:
        pauses.append((run.waits_until - now()) // timedelta(minutes=1))
        now.return_value = run.waits_until
        GenerationRun.objects.update(waits_until=None)
    assert pauses[:6] == [1, 1, 2, 4, 8, 15]
    assert sum(pauses) == 6 * 60 + 1
    assert (run.state, run.paused_because) == ("paused", "local does not answer")


def test_workers_leave_a_waiting_run_alone(run, monkeypatch):
    interrupted(run, monkeypatch, EndpointDown("local does not answer"))
    assert not worker.step(run)
    assert batches.claim() is None


def test_a_server_that_does_not_answer_is_shown_before_the_run_waits_for_it(run):
    ledger = DatabaseLedger(run)
    ledger.store([], silence="local does not answer: the connection failed.")
    run.refresh_from_db()
    assert (run.waits_for_server, run.waits_until) == (True, None)
    assert (
        run_figures.status(run, selectors.progress(run), waits=False) == "Waiting for the server."
    )
    ledger.store([answer()])
    run.refresh_from_db()
    assert (run.waits_for_server, run.paused_because) == (False, "")


def test_an_answer_ends_the_wait(run, monkeypatch):
    interrupted(run, monkeypatch, EndpointDown("local does not answer"))
    DatabaseLedger(run).store([answer()])
    run.refresh_from_db()
    assert (run.paused_because, run.waits_until, run.silent_since) == ("", None, None)


def test_a_finished_batch_counts_replies_that_other_runs_paid_for(run, monkeypatch):
    other = fake.run(run.corpus)
    paid = answer()
    DatabaseLedger(other).store([paid])
    load = fake.METHOD.rewriter

    def rewriter(settings, own, ledger):
        ledger.stored([paid.digest])
        return load(settings, own, ledger)

    fake.install(rewriter=rewriter)
    worker.step(run)
    run.refresh_from_db()
    assert run.usage["reused"] == 1


def test_replies_of_ended_runs_are_deleted_after_days(run):
    ended = fake.run(run.corpus)
    long_ago = timezone.now() - timedelta(days=91)
    GenerationRun.objects.filter(pk=ended.pk).update(
        state="done", finished_at=long_ago, queue=Queue.ENDPOINT
    )
    kept = answer()
    DatabaseLedger(run).store([kept])
    DatabaseLedger(ended).store([answer(), answer()])
    Reply.objects.update(created_at=long_ago)
    assert replies.delete_old() == 2
    assert Reply.objects.get().digest == kept.digest
