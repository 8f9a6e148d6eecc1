"""Runs in the admin and over REST: watched, paused, resumed, ended, tried again."""

from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse
from rest_framework.test import APIRequestFactory, force_authenticate

from accounts.models import User
from generation import tasks
from generation.admin import run_page
from generation.api.corpora import CorpusList
from generation.api.runs import RunDetail, RunList
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


def sent(client, run, address, before, **data):
    """Set a run's state and post a form; returns its state then, and what the page says."""
    GenerationRun.objects.update(state=before)
    reply = client.post(f"{RUNS}{address}", data, follow=True)
    run.refresh_from_db()
    return run.state, reply.text


def test_buttons_and_actions_steer_a_run_wake_workers_and_say_what_was_done(root, run, monkeypatch):
    monkeypatch.setattr(tasks, "wake", wake := Mock())
    for before, action, after, said in [
        (State.RUNNING, "pause", State.PAUSED, "The run was paused."),
        (State.PAUSED, "resume", State.RUNNING, "The run was resumed."),
        (State.RUNNING, "cancel", State.CANCELLED, "The run was cancelled."),
        (State.RUNNING, "resume", State.RUNNING, "The run is running: it cannot be resumed."),
        (State.DONE, "retry", State.RUNNING, "The run was given another try."),
    ]:
        state, shown = sent(root, run, f"{run.pk}/steer/", before, action=action)
        assert (state, said in shown) == (after, True), action
        if action != "retry":
            chosen = {"action": action, "_selected_action": [run.pk]}
            state, shown = sent(root, run, "", before, **chosen)
            assert (state, f"{int(after != before)} of 1 runs" in shown) == (after, True), action
    assert wake.call_args_list[0] == ((run.pk,),)
    run.batches.update(state="parked")
    sent(root, run, "", State.RUNNING, action="retry_parked", _selected_action=[run.pk])
    assert set(run.batches.values_list("state", flat=True)) == {"open"}
    for pk, data in [(run.pk, {"action": "delete"}), (run.pk, {}), (0, {"action": "pause"})]:
        assert root.post(f"{RUNS}{pk}/steer/", data).status_code == 404


def test_who_may_only_look_is_offered_no_buttons_and_steers_nothing(client, run):
    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.set(Permission.objects.filter(codename="view_generationrun"))
    client.force_login(onlooker)
    assert 'name="action"' not in client.get(f"{RUNS}{run.pk}/change/").text
    assert client.get(f"{RUNS}{run.pk}/figures/").status_code == 200
    assert client.post(f"{RUNS}{run.pk}/steer/", {"action": "pause"}).status_code == 403
    chosen = {"action": "cancel", "_selected_action": [run.pk]}
    assert sent(client, run, "", State.RUNNING, **chosen)[0] == State.RUNNING


def test_a_page_left_open_is_sent_what_has_changed_while_something_can_change(root, run):
    def page():
        return root.get(f"{RUNS}{run.pk}/change/")

    def figures():
        return root.get(f"{RUNS}{run.pk}/figures/", {"told": told})

    told = page().context["told"]
    assert 'id="run-announcement"' not in figures().text
    assert [worker.step(run), worker.step(run)] == [True, True]
    moved, whole = figures().text, page().text
    assert ("50 percent done" in moved, 'id="run-actions"' in moved) == (True, False)
    assert ("10 of 20 (50%)" in whole, "too short, 20.0%" in whole) == (True, True)
    seconds = [run_page.WATCHING, run_page.WAITING, None, None]
    states = (State.RUNNING, State.PAUSED, State.DONE, State.CANCELLED)
    for state, wait in zip(states, seconds, strict=True):
        GenerationRun.objects.update(state=state)
        assert page().context["seconds"] == wait
    root.logout()
    assert (figures().headers["HX-Refresh"], figures().content) == ("true", b"")


def test_over_rest_they_are_read_only_through_views_that_know_who_reads(root, backwards):
    run = fake.run(fake.corpus(12, "Zoo"), fails_on="sentence number 7")
    worker.work_until_idle(run)
    row = root.get(reverse("api_run", args=[run.public_id])).json()
    settings = fake.DEFAULTS | {"fails_on": "sentence number 7"}
    assert (row["settings"], row["models"], row["seed"]) == (settings, fake.IDENTITIES, 7)
    assert row["outcomes"] == {"accepted": 5, "too_short": 2}
    [row] = root.get(reverse("api_runs")).json()["results"]
    counts = (row["sentences"], row["sentences_done"], row["batches_parked"])
    assert (row["id"], row["state"], counts) == (str(run.public_id), "done", (12, 7, 1))
    [row] = root.get(reverse("api_corpora")).json()["results"]
    assert (row["name"], row["licence"], row["sentences"]) == ("Zoo", "", 12)
    request = APIRequestFactory().get("/")
    force_authenticate(request, User.objects.get())
    for view in (CorpusList, RunList):
        assert view.as_view()(request).data == {"next": None, "results": []}
    assert RunDetail.as_view()(request, public_id=run.public_id).status_code == 404
