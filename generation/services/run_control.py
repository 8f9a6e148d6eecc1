"""Steers runs: performs or refuses actions, and logs them."""

import logging
from collections.abc import Callable
from enum import StrEnum

from django.db import transaction

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from generation import selectors
from generation.errors import NotNow
from generation.models import GenerationRun
from generation.services import runs

State = GenerationRun.State
logger = logging.getLogger(__name__)


class Action(StrEnum):
    """An action on a run."""

    APPROVE = "approve"
    PAUSE = "pause"
    RESUME = "resume"
    RETRY = "retry"
    CANCEL = "cancel"


MOVES: dict[Action, Callable[[GenerationRun], int]] = {
    Action.APPROVE: runs.approve,
    Action.PAUSE: runs.pause,
    Action.RESUME: runs.resume,
    Action.RETRY: runs.retry_parked,
    Action.CANCEL: runs.cancel,
}
# As in "The run was paused", "The run is running: it cannot be resumed".
DONE = {
    Action.APPROVE: "approved",
    Action.PAUSE: "paused",
    Action.RESUME: "resumed",
    Action.RETRY: "given another try",
    Action.CANCEL: "cancelled",
}


def steer(run: GenerationRun, action: Action, *, by: User | None = None) -> None:
    """Perform an action on a run; `by` is None on the command line.

    The caller must wake workers. Raises NotNow if the state of the run does not allow the action.
    """
    with transaction.atomic():
        if not MOVES[action](run):
            raise NotNow(_why_not(run, action))
        audit.record(Act.RUN_STEERED, by=by, on=run, action=action)
    run.refresh_from_db()
    who = f"user {by.public_id}" if by else "the command line"
    logger.info("Run %s was %s by %s", run.public_id, DONE[action], who)


def possible(run: GenerationRun) -> list[Action]:
    """Return the actions that the state of a run allows."""
    ended = run.state in (State.DONE, State.CANCELLED)
    allowed = {
        Action.APPROVE: run.preview and run.state != State.CANCELLED,
        Action.PAUSE: run.state == State.RUNNING,
        Action.RESUME: run.state == State.PAUSED,
        Action.RETRY: run.state != State.CANCELLED and selectors.parked(run).exists(),
        Action.CANCEL: not ended or (run.preview and run.state == State.DONE),
    }
    return [action for action in Action if allowed[action]]


def _why_not(run: GenerationRun, action: Action) -> str:
    run.refresh_from_db()
    if run.state != State.CANCELLED and action == Action.APPROVE:
        return "The run is not a preview: there is nothing to approve."
    if run.state != State.CANCELLED and action == Action.RETRY:
        return "The run has no parked batches: there is nothing to try again."
    return f"The run is {run.state}: it cannot be {DONE[action]}."
