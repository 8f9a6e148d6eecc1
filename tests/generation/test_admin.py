"""Runs in the admin: watched, paused, resumed, ended, tried again."""

from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from generation import tasks
from generation.admin import run_page
from generation.models import Batch, Corpus, GenerationRun
from generation.services import runs, worker
from tests.generation import fake

pytestmark = pytest.mark.django_db
RUNS = "/admin/generation/generationrun/"
State = GenerationRun.State


@pytest.fixture
def run():
    """A run with one batch left and one parked."""
    corpus = Corpus.objects.create(name="Tests")
    run = GenerationRun.objects.create(
        corpus=corpus, method="word_swap", settings={}, model_identities={}, seed=1
    )
    slice_ = {"first_sentence": 1, "last_sentence": 2, "size": 2}
    for number, state in enumerate((Batch.State.OPEN, Batch.State.PARKED)):
        Batch.objects.create(run=run, number=number, state=state, **slice_)
    return run


@pytest.fixture
def root(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(client, run, name="change", **query):
    reply = client.get(f"{RUNS}{run.pk}/{name}/", query)
    assert reply.status_code == 200
    return reply.content.decode()


def steered(client, run, action, *, before=State.RUNNING):
    """Set a run's state and press a button; returns its state then, and what the page says."""
    GenerationRun.objects.update(state=before)
    reply = client.post(f"{RUNS}{run.pk}/steer/", {"action": action}, follow=True)
    run.refresh_from_db()
    return run.state, reply.content.decode()


def chosen(client, run, action):
    """Choose the run in the list, and an action."""
    data = {"action": action, "_selected_action": [run.pk]}
    said = client.post(RUNS, data, follow=True).content.decode()
    run.refresh_from_db()
    return said


def test_buttons_steer_a_run_wake_workers_and_say_what_was_done(root, run, monkeypatch):
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)
    for before, action, after, said in [
        (State.RUNNING, "pause", State.PAUSED, "The run was paused."),
        (State.PAUSED, "resume", State.RUNNING, "The run was resumed."),
        (State.DONE, "retry", State.RUNNING, "The run was given another try."),
        (State.RUNNING, "resume", State.RUNNING, "The run is running: it cannot be resumed."),
        (State.RUNNING, "approve", State.RUNNING, "not a preview"),
        (State.RUNNING, "cancel", State.CANCELLED, "The run was cancelled."),
    ]:
        state, shown = steered(root, run, action, before=before)
        assert (state, said in shown) == (after, True), action
    assert wake.call_args_list == [((run.pk,),)] * 4
    assert root.get(f"{RUNS}{run.pk}/steer/").status_code == 405
    for pk, data in [(run.pk, {"action": "delete"}), (run.pk, {}), (0, {"action": "pause"})]:
        assert root.post(f"{RUNS}{pk}/steer/", data).status_code == 404


def test_runs_are_steered_from_the_list(root, run):
    for action, said, after in [
        ("resume", "0 of 1 runs resumed", State.RUNNING),
        ("pause", "1 of 1 runs", State.PAUSED),
        ("resume", "1 of 1 runs", State.RUNNING),
        ("cancel", "1 of 1 runs", State.CANCELLED),
    ]:
        assert said in chosen(root, run, action)
        assert run.state == after
    GenerationRun.objects.update(state=State.RUNNING)
    chosen(root, run, "retry_parked")
    assert not run.batches.filter(state=Batch.State.PARKED).exists()


def test_who_may_only_look_is_offered_no_buttons_and_steers_nothing(client, run):
    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.set(Permission.objects.filter(codename="view_generationrun"))
    client.force_login(onlooker)
    assert 'name="action"' not in page(client, run)
    assert client.get(f"{RUNS}{run.pk}/figures/").status_code == 200
    assert client.post(f"{RUNS}{run.pk}/steer/", {"action": "pause"}).status_code == 403
    assert client.get(f"{RUNS}{run.pk}/cancel/").status_code == 403
    chosen(client, run, "cancel")
    assert run.state == State.RUNNING


def test_a_page_left_open_is_sent_what_has_changed_and_nothing_else(root, run):
    told = root.get(f"{RUNS}{run.pk}/change/").context["told"]
    assert 'id="run-announcement"' not in page(root, run, "figures", told=told)
    done = {"finished_at": run.created_at, "outcomes": {"accepted": 1, "too short": 1}}
    run.batches.filter(state=Batch.State.OPEN).update(state=Batch.State.DONE, **done)
    moved = page(root, run, "figures", told=told)
    assert "50 percent done" in moved
    assert 'id="run-actions"' not in moved
    whole = page(root, run)
    assert "2 of 4 (50%)" in whole
    assert "too short, 50.0%" in whole
    GenerationRun.objects.update(state=State.PAUSED)
    paused = page(root, run, "figures", told=told)
    assert "Paused." in paused
    assert 'id="run-actions"' in paused
    root.logout()
    reply = root.get(f"{RUNS}{run.pk}/figures/")
    assert (reply.headers["HX-Refresh"], reply.content) == ("true", b"")


def test_a_page_left_open_asks_again_only_while_something_can_change(root, run):
    seconds = {}
    for state in State:
        GenerationRun.objects.update(state=state)
        seconds[state] = root.get(f"{RUNS}{run.pk}/change/").context["seconds"]
    watching, waiting = run_page.WATCHING, run_page.WAITING
    assert seconds == dict(zip(State, (watching, waiting, None, None), strict=True))


@pytest.mark.usefixtures("backwards")
def test_a_page_costs_the_same_however_much_the_run_has_made(root):
    costs = []
    for size in (25, 25, 500):  # the first fills caches
        run = runs.start(fake.corpus(size, f"{len(costs)}"), method="word_swap", preview=True)
        worker.work_until_idle(run)
        runs.approve(run)
        worker.work_until_idle(run)
        with CaptureQueriesContext(connection) as captured:
            page(root, run)
        costs.append(len(captured))
    assert costs[1] == costs[2] <= 12


def test_the_longest_bar_spans_the_chart():
    bars = run_page.chart({"accepted": 30, "below_threshold": 15, "too_short": 15})
    assert [(bar.name, bar.share, bar.width, bar.is_accepted) for bar in bars] == [
        ("accepted", "50.0%", "100.00%", True),
        ("below threshold", "25.0%", "50.00%", False),
        ("too short", "25.0%", "50.00%", False),
    ]
    assert run_page.chart({}) == []
