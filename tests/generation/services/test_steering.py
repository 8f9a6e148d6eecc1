"""Steering a run: what is done, what is refused, and what is logged."""

import itertools
import logging

import pytest
from django.db import transaction

from accounts.models import User
from generation import selectors
from generation.errors import NotNow
from generation.models import Batch, GenerationRun
from generation.services import runs, steering, worker
from generation.services.steering import Action
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

State = GenerationRun.State


def run_in(state: str, *, preview: bool, parked: bool) -> GenerationRun:
    run = runs.start(fake.corpus(30), method="word_swap", preview=preview)
    batches = run.batches.filter(number=1) if parked else run.batches.none()
    batches.update(state=Batch.State.PARKED)
    GenerationRun.objects.filter(pk=run.pk).update(state=state)
    run.refresh_from_db()
    return run


def succeeds(run: GenerationRun, action: Action) -> bool:
    """Whether the run can be steered so; it is left as it was."""
    with transaction.atomic():
        try:
            steering.steer(run, action)
        except NotNow:
            return False
        finally:
            transaction.set_rollback(True)
    return True


@pytest.mark.parametrize(
    ("state", "preview", "parked"),
    list(itertools.product(State.values, [False, True], [False, True])),
)
def test_what_is_offered_is_what_can_be_done(state: str, preview: bool, parked: bool) -> None:
    run = run_in(state, preview=preview, parked=parked)
    offered = steering.possible(run)

    done = [action for action in Action if succeeds(GenerationRun.objects.get(pk=run.pk), action)]

    assert offered == done


def test_a_refusal_says_why() -> None:
    run = fake.run(fake.corpus(3))

    with pytest.raises(NotNow, match="The run is running: it cannot be resumed"):
        steering.steer(run, Action.RESUME)
    with pytest.raises(NotNow, match="not a preview"):
        steering.steer(run, Action.APPROVE)
    with pytest.raises(NotNow, match="no parked batches"):
        steering.steer(run, Action.RETRY)


def test_who_steered_which_run_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    run = fake.run(fake.corpus(3))
    ada = User.objects.create_user("ada")
    caplog.set_level(logging.INFO)

    steering.steer(run, Action.PAUSE, by=ada)

    assert f"Run {run.public_id} was paused by user {ada.public_id}" in caplog.messages


def test_a_preview_of_a_whole_corpus_can_be_given_up() -> None:
    run = runs.start(fake.corpus(5), method="word_swap", preview=True)
    worker.work_until_idle(run)
    run.refresh_from_db()
    assert (run.state, selectors.awaits_approval(run)) == (State.DONE, True)

    steering.steer(run, Action.CANCEL)

    assert run.state == State.CANCELLED
    assert not selectors.awaits_approval(run)
