"""Runs in the admin: told to pause, go on, end, or try again."""

from unittest.mock import Mock

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
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
def run() -> GenerationRun:
    """A run with one batch left and one parked."""
    run = GenerationRun.objects.create(
        corpus=Corpus.objects.create(name="Tests"),
        method="word_swap",
        settings={},
        model_identities={},
        seed=1,
    )
    for number, state in enumerate((Batch.State.OPEN, Batch.State.PARKED)):
        Batch.objects.create(
            run=run, number=number, first_sentence=1, last_sentence=2, size=2, state=state
        )
    return run


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def act(client: Client, action: str, run: GenerationRun) -> str:
    """Choose the run and an action; returns what the page says then."""
    chosen = {"action": action, "_selected_action": [run.pk]}
    page = client.post(RUNS, chosen, follow=True)
    run.refresh_from_db()
    return page.content.decode()


@pytest.mark.parametrize(
    ("before", "action", "after"),
    [
        (State.RUNNING, "pause", State.PAUSED),
        (State.PAUSED, "resume", State.RUNNING),
        (State.RUNNING, "cancel", State.CANCELLED),
    ],
)
def test_a_run_is_steered(
    root: Client, run: GenerationRun, before: str, action: str, after: str
) -> None:
    GenerationRun.objects.update(state=before)

    said = act(root, action, run)

    assert run.state == after
    assert "1 of 1 runs" in said


def test_what_cannot_be_done_is_said(root: Client, run: GenerationRun) -> None:
    said = act(root, "resume", run)

    assert run.state == State.RUNNING
    assert "0 of 1 runs resumed" in said


def test_parked_batches_are_tried_again(root: Client, run: GenerationRun) -> None:
    act(root, "retry_parked", run)

    assert not run.batches.filter(state=Batch.State.PARKED).exists()


def test_whoever_only_looks_does_not_steer(client: Client, run: GenerationRun) -> None:
    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.set(Permission.objects.filter(codename="view_generationrun"))
    client.force_login(onlooker)

    act(client, "cancel", run)

    assert run.state == State.RUNNING


def test_whoever_only_looks_is_offered_no_buttons(client: Client, run: GenerationRun) -> None:
    onlooker = User.objects.create_user("onlooker", is_staff=True)
    onlooker.user_permissions.set(Permission.objects.filter(codename="view_generationrun"))
    client.force_login(onlooker)

    page = client.get(f"{RUNS}{run.pk}/change/").content.decode()

    assert 'name="action"' not in page
    assert client.post(f"{RUNS}{run.pk}/steer/", {"action": "pause"}).status_code == 403
    assert client.get(f"{RUNS}{run.pk}/cancel/").status_code == 403
    assert client.get(f"{RUNS}{run.pk}/figures/").status_code == 200


def test_a_run_says_how_far_it_is(root: Client, run: GenerationRun) -> None:
    finish_one(run)

    page = root.get(f"{RUNS}{run.pk}/change/").content.decode()

    assert "2 of 4 (50%)" in page
    assert "too short, 50.0%" in page


def finish_one(run: GenerationRun) -> None:
    run.batches.filter(state=Batch.State.OPEN).update(
        state=Batch.State.DONE, finished_at=run.created_at, outcomes={"accepted": 1, "too short": 1}
    )


@pytest.mark.parametrize(
    ("before", "action", "after", "said"),
    [
        (State.RUNNING, "pause", State.PAUSED, "The run was paused."),
        (State.PAUSED, "resume", State.RUNNING, "The run was resumed."),
        (State.RUNNING, "cancel", State.CANCELLED, "The run was cancelled."),
        (State.DONE, "retry", State.RUNNING, "The run was given another try."),
        (State.RUNNING, "resume", State.RUNNING, "The run is running: it cannot be resumed."),
        (State.RUNNING, "approve", State.RUNNING, "not a preview"),
    ],
)
def test_a_button_steers_the_run_and_the_page_says_so(
    root: Client, run: GenerationRun, before: str, action: str, after: str, said: str
) -> None:
    GenerationRun.objects.update(state=before)

    page = root.post(f"{RUNS}{run.pk}/steer/", {"action": action}, follow=True)

    run.refresh_from_db()
    assert run.state == after
    assert said in page.content.decode()


def test_steering_wakes_workers(
    root: Client, run: GenerationRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)

    root.post(f"{RUNS}{run.pk}/steer/", {"action": "retry"})

    wake.assert_called_once_with(run.pk)


def test_only_buttons_steer(root: Client, run: GenerationRun) -> None:
    assert root.get(f"{RUNS}{run.pk}/steer/").status_code == 405
    assert root.post(f"{RUNS}{run.pk}/steer/", {"action": "delete"}).status_code == 404
    assert root.post(f"{RUNS}{run.pk}/steer/").status_code == 404
    assert root.post(f"{RUNS}0/steer/", {"action": "pause"}).status_code == 404


def figures(client: Client, run: GenerationRun, told: str) -> str:
    return client.get(f"{RUNS}{run.pk}/figures/", {"told": told}).content.decode()


def test_what_has_not_changed_is_not_sent_again(root: Client, run: GenerationRun) -> None:
    told = root.get(f"{RUNS}{run.pk}/change/").context["told"]

    assert 'id="run-announcement"' not in figures(root, run, told)

    finish_one(run)
    moved = figures(root, run, told)
    assert "50 percent done" in moved
    assert 'id="run-actions"' not in moved

    GenerationRun.objects.update(state=State.PAUSED)
    turned = figures(root, run, told)
    assert "Paused." in turned
    assert 'id="run-actions"' in turned


def test_a_page_left_open_asks_again_only_while_something_can_change(
    root: Client, run: GenerationRun
) -> None:
    seconds = {}
    for state in State:
        GenerationRun.objects.update(state=state)
        seconds[state] = root.get(f"{RUNS}{run.pk}/change/").context["seconds"]

    assert seconds == {
        State.RUNNING: run_page.WATCHING,
        State.PAUSED: run_page.WAITING,
        State.DONE: None,
        State.CANCELLED: None,
    }


def test_whoever_is_signed_out_is_sent_to_the_whole_page(
    client: Client, run: GenerationRun
) -> None:
    reply = client.get(f"{RUNS}{run.pk}/figures/")

    assert reply.headers["HX-Refresh"] == "true"
    assert reply.content == b""


def statements(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address).status_code == 200
    return len(captured)


@pytest.mark.usefixtures("backwards")
def test_a_page_costs_the_same_however_much_the_run_has_made(root: Client) -> None:
    small, large = (
        runs.start(fake.corpus(size, f"{size}"), method="word_swap", preview=True)
        for size in (25, 500)
    )
    for each in (small, large):
        worker.work_until_idle(each)
        runs.approve(each)
        worker.work_until_idle(each)
    pages = [f"{RUNS}{each.pk}/change/" for each in (small, large)]
    statements(root, pages[0])

    assert statements(root, pages[0]) == statements(root, pages[1]) <= 12


def test_the_longest_bar_spans_the_chart() -> None:
    bars = run_page.chart({"accepted": 30, "below_threshold": 15, "too_short": 15})

    assert [(bar.name, bar.share, bar.width) for bar in bars] == [
        ("accepted", "50.0%", "100.00%"),
        ("below threshold", "25.0%", "50.00%"),
        ("too short", "25.0%", "50.00%"),
    ]
    assert [bar.is_accepted for bar in bars] == [True, False, False]
    assert run_page.chart({}) == []
