"""Steering runs over REST: what their state allows, by managers alone."""

from unittest.mock import Mock

import pytest
from rest_framework.test import APIClient

from annotation.models import Membership, Project
from annotation.services import intake, projects
from generation.models import GenerationRun
from generation.services import worker
from tests.annotation import cast
from tests.annotation.api.conftest import As, client_of
from tests.annotation.api.runs.asking import adopted, start, steer
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]

ACTIONS = ["approve", "pause", "resume", "retry", "cancel"]


def test_a_manager_steers_a_run(manager: APIClient, project: Project, woken: Mock) -> None:
    run = adopted(project, fails_on="sentence number 7")

    assert steer(manager, run, "pause").json()["state"] == "paused"
    assert steer(manager, run, "resume").json()["state"] == "running"
    worker.work_until_idle(run)
    assert manager.get(f"/api/runs/{run.public_id}/").json()["actions"] == ["retry"]
    assert steer(manager, run, "retry").json()["progress"]["parked_batches"] == 0
    assert steer(manager, run, "cancel").json()["state"] == "cancelled"
    assert {call.args for call in woken.call_args_list} == {(run.pk,)}


def test_a_preview_enters_the_project_once_it_is_approved(
    manager: APIClient, project: Project
) -> None:
    fake.corpus(30)
    start(manager, project, preview=True)
    run = GenerationRun.objects.get()
    worker.work_until_idle()
    assert intake.take_in(project) == 0

    told = steer(manager, run, "approve").json()

    assert (told["preview"], told["actions"]) == (False, ["pause", "cancel"])
    worker.work_until_idle()
    assert intake.take_in(project) == 27


def test_what_the_state_does_not_allow_is_a_conflict(manager: APIClient, project: Project) -> None:
    reply = steer(manager, adopted(project), "resume")

    assert reply.status_code == 409
    assert reply.json() == {
        "type": "client_error",
        "errors": [
            {
                "code": "conflict",
                "detail": "The run is running: it cannot be resumed.",
                "attr": None,
            }
        ],
    }


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize(
    ("role", "status"),
    [("anonymous", 401), ("stranger", 404), ("annotator", 404), ("researcher", 403)],
)
def test_only_managers_steer(
    as_: As, project: Project, role: str, status: int, action: str
) -> None:
    run = adopted(project)

    assert steer(as_(role), run, action).status_code == status
    run.refresh_from_db()
    assert run.state == "running"


def test_a_manager_of_another_project_steers_nothing_here(project: Project) -> None:
    other = cast.person(cast.study(), role=Membership.Role.MANAGER)

    assert steer(client_of(other.user), adopted(project), "cancel").status_code == 404


def test_a_researcher_here_who_manages_elsewhere_does_not_steer(project: Project) -> None:
    both = cast.person(cast.study(), role=Membership.Role.MANAGER)
    projects.add_member(project, both.user, role=Membership.Role.RESEARCHER)

    assert steer(client_of(both.user), adopted(project), "cancel").status_code == 403


def test_there_is_nothing_else_to_be_asked(manager: APIClient, project: Project) -> None:
    assert steer(manager, adopted(project), "delete").status_code == 404


def test_a_run_tells_its_parked_batches_with_their_reasons(
    manager: APIClient, project: Project
) -> None:
    run = adopted(project, fails_on="sentence number 7")
    worker.work_until_idle(run)

    told = manager.get(f"/api/runs/{run.public_id}/").json()

    reason = "RuntimeError: cannot rewrite 'sentence number 7'"
    assert told["parked"] == [{"number": 2, "size": 5, "reason": reason}]
    assert (told["queue"], told["preview"], told["pairs_of"]) == ("cpu", False, [])
