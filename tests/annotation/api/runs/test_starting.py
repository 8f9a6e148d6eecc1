"""Starting runs over REST: by managers, with the project's corpora, and by nobody else."""

import json
from unittest.mock import Mock

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import User
from annotation.models import Membership, Project
from generation.models import GenerationRun
from tests.annotation import cast
from tests.annotation.api.conftest import As, client_of
from tests.annotation.api.runs.asking import asked, start
from tests.annotation.filled import person
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


def test_a_manager_starts_a_run_over_each_corpus(
    manager: APIClient, project: Project, woken: Mock
) -> None:
    for name in ("One", "Two"):
        fake.corpus(25, name)

    reply = start(
        manager, project, corpora=["One", "Two"], settings={"seconds": 0.5}, seed=3, preview=True
    )

    assert reply.status_code == 201
    told = reply.json()["runs"]
    assert [run["corpus"] for run in told] == ["One", "Two"]
    assert {(run["seed"], run["preview"], run["state"]) for run in told} == {(3, True, "running")}
    runs = GenerationRun.objects.order_by("pk")
    assert told[0]["id"] == str(runs[0].public_id)
    assert runs[0].settings == fake.DEFAULTS | {"seconds": 0.5}
    assert runs[0].started_by == User.objects.get(username="manager")
    assert set(project.runs.all()) == set(runs)
    assert [call.args for call in woken.call_args_list] == [(runs[0].pk,), (runs[1].pk,)]


def test_runs_are_started_with_a_token_or_a_session(project: Project) -> None:
    fake.corpus(1)
    user = person("manager", project)
    assert user is not None
    token = tokens.create(user=user, scope="manage")
    session = Client(enforce_csrf_checks=True)
    session.force_login(user)

    with_token = Client().post(
        "/api/runs/",
        json.dumps(asked(project)),
        content_type="application/json",
        headers={"authorization": f"Token {token}"},
    )
    without_csrf = session.post(
        "/api/runs/", json.dumps(asked(project)), content_type="application/json"
    )
    session.get("/accounts/logout/")
    csrf = {"x-csrftoken": session.cookies["csrftoken"].value}
    with_session = session.post(
        "/api/runs/", json.dumps(asked(project)), content_type="application/json", headers=csrf
    )

    replies = (with_token, without_csrf, with_session)
    assert [reply.status_code for reply in replies] == [201, 403, 201]


@pytest.mark.parametrize(
    ("role", "status"),
    [("anonymous", 401), ("stranger", 404), ("annotator", 404), ("researcher", 403)],
)
def test_only_managers_start_runs(as_: As, project: Project, role: str, status: int) -> None:
    fake.corpus(1)

    assert start(as_(role), project).status_code == status
    assert not GenerationRun.objects.exists()


def test_a_manager_of_another_project_starts_nothing_here(project: Project) -> None:
    fake.corpus(1)
    other = cast.person(cast.study(), role=Membership.Role.MANAGER)

    assert start(client_of(other.user), project).status_code == 404


def test_an_administrator_starts_runs_for_any_project(as_: As, project: Project) -> None:
    fake.corpus(1)

    assert start(as_("superuser"), project).status_code == 201
