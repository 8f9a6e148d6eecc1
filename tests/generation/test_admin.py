"""Runs in the admin: watched, paused, resumed, ended, tried again."""

from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from generation import tasks
from generation.admin import run_page
from generation.models import GenerationRun
from generation.services import worker
from tests.generation import fake

pytestmark = pytest.mark.django_db
RUNS = "/admin/generation/generationrun/"
State = GenerationRun.State


@pytest.fixture
def run(backwards):
    """A run with three batches left and one parked."""
    run = fake.run(fake.corpus(20))
    run.batches.filter(number=2).update(state="parked")
    return run


@pytest.fixture
def root(client):
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(client, run, name="change", **query):
    reply = client.get(f"{RUNS}{run.pk}/{name}/", query)
    assert reply.status_code == 200
    return reply.content.decode()


def sent(client, run, address, before, **data):
    """Set a run's state and post a form; returns its state then, and what the page says."""
    GenerationRun.objects.update(state=before)
    reply = client.post(f"{RUNS}{address}", data, follow=True)
    run.refresh_from_db()
    return run.state, reply.content.decode()


def test_buttons_and_actions_steer_a_run_wake_workers_and_say_what_was_done(root, run, monkeypatch):
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)
    for before, action, after, said in [
        (State.RUNNING, "pause", State.PAUSED, "The run was paused."),
        (State.PAUSED, "resume", State.RUNNING, "The run was resumed."),
        (State.RUNNING, "cancel", State.CANCELLED, "The run was cancelled."),
        (State.RUNNING, "resume", State.RUNNING, "The run is running: it cannot be resumed."),
        (State.RUNNING, "approve", State.RUNNING, "not a preview"),
        (State.DONE, "retry", State.RUNNING, "The run was given another try."),
    ]:
        state, shown = sent(root, run, f"{run.pk}/steer/", before, action=action)
        assert (state, said in shown) == (after, True), action
        if action in ("pause", "resume", "cancel"):
            chosen = {"action": action, "_selected_action": [run.pk]}
            state, shown = sent(root, run, "", before, **chosen)
            assert (state, f"{int(after != before)} of 1 runs" in shown) == (after, True), action
    assert wake.call_args_list[0] == ((run.pk,),)
    run.batches.update(state="parked")
    sent(root, run, "", State.RUNNING, action="retry_parked", _selected_action=[run.pk])
    assert set(run.batches.values_list("state", flat=True)) == {"open"}
    assert root.get(f"{RUNS}{run.pk}/steer/").status_code == 405
    for pk, data in [(run.pk, {"action": "delete"}), (run.pk, {}), (0, {"action": "pause"})]:
        assert root.post(f"{RUNS}{pk}/steer/", data).status_code == 404


def test_who_may_only_look_is_offered_no_buttons_and_steers_nothing(client, run):
    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.set(Permission.objects.filter(codename="view_generationrun"))
    client.force_login(onlooker)
    assert 'name="action"' not in page(client, run)
    assert page(client, run, "figures")
    assert client.post(f"{RUNS}{run.pk}/steer/", {"action": "pause"}).status_code == 403
    assert client.get(f"{RUNS}{run.pk}/cancel/").status_code == 403
    chosen = {"action": "cancel", "_selected_action": [run.pk]}
    assert sent(client, run, "", State.RUNNING, **chosen)[0] == State.RUNNING


def test_a_page_left_open_is_sent_what_has_changed_while_something_can_change(root, run):
    told = root.get(f"{RUNS}{run.pk}/change/").context["told"]
    assert 'id="run-announcement"' not in page(root, run, "figures", told=told)
    assert [worker.step(run), worker.step(run)] == [True, True]
    moved = page(root, run, "figures", told=told)
    assert ("50 percent done" in moved, 'id="run-actions"' in moved) == (True, False)
    whole = page(root, run)
    assert ("10 of 20 (50%)" in whole, "too short, 20.0%" in whole) == (True, True)
    GenerationRun.objects.update(state=State.PAUSED)
    paused = page(root, run, "figures", told=told)
    assert ("Paused." in paused, 'id="run-actions"' in paused) == (True, True)
    seconds = []
    for state in (State.RUNNING, State.PAUSED, State.DONE, State.CANCELLED):
        GenerationRun.objects.update(state=state)
        seconds.append(root.get(f"{RUNS}{run.pk}/change/").context["seconds"])
    assert seconds == [run_page.WATCHING, run_page.WAITING, None, None]
    root.logout()
    reply = root.get(f"{RUNS}{run.pk}/figures/")
    assert (reply.headers["HX-Refresh"], reply.content) == ("true", b"")


def test_a_page_costs_the_same_however_much_the_run_has_made(root, backwards):
    costs = []
    for size in (25, 25, 250):  # the first fills caches
        run = fake.run(fake.corpus(size, f"{len(costs)}"))
        worker.work_until_idle(run)
        with CaptureQueriesContext(connection) as captured:
            page(root, run)
        costs.append(len(captured))
    assert costs[1] == costs[2] <= 12
