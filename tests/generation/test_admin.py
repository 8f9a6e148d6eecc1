"""Runs in the admin: told to pause, go on, end, or try again."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User
from generation.models import Batch, Corpus, GenerationRun

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


def test_a_run_says_how_far_it_is(root: Client, run: GenerationRun) -> None:
    run.batches.filter(state=Batch.State.OPEN).update(
        state=Batch.State.DONE, finished_at=run.created_at, outcomes={"accepted": 1, "too short": 1}
    )

    page = root.get(f"{RUNS}{run.pk}/change/").content.decode()

    assert "2 of 4 (50%)" in page
    assert "too short, 50.0%" in page
