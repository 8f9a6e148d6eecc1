"""Runs over REST: started and steered by managers, refused to others, and traceable throughout."""

import json
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import User
from annotation.models import Membership, Project
from annotation.services import intake, projects
from generation import methods, tasks
from generation.models import GenerationRun, Method
from generation.services import worker
from tests.annotation import cast
from tests.annotation.api.conftest import client_of
from tests.annotation.filled import person
from tests.generation import fake

pytestmark = pytest.mark.django_db

As = Callable[[str], APIClient]
ACTIONS = ["approve", "pause", "resume", "retry", "cancel"]


@pytest.fixture(autouse=True)
def backwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(methods.METHODS, Method.WORD_SWAP, fake.METHOD)


@pytest.fixture
def project() -> Project:
    return cast.study()


@pytest.fixture
def as_(project: Project) -> As:
    return lambda role: client_of(person(role, project))


@pytest.fixture
def manager(as_: As) -> APIClient:
    return as_("manager")


@pytest.fixture
def woken(monkeypatch: pytest.MonkeyPatch) -> Mock:
    wake = Mock()
    monkeypatch.setattr(tasks, "wake", wake)
    return wake


def asked(project: Project, /, **changes: Any) -> dict[str, Any]:
    return {
        "project": str(project.public_id),
        "corpora": ["Tests"],
        "method": "word_swap",
    } | changes


def start(client: APIClient, project: Project, /, **changes: Any) -> Any:
    return client.post("/api/runs/", asked(project, **changes), format="json")


def steer(client: APIClient, run: GenerationRun, action: str) -> Any:
    return client.post(f"/api/runs/{run.public_id}/{action}/")


def adopted(project: Project, size: int = 12, **settings: Any) -> GenerationRun:
    run = fake.run(fake.corpus(size), **settings)
    projects.adopt(project, run)
    return run


def attributes(reply: Any) -> dict[str, str]:
    return {error["attr"]: error["detail"] for error in reply.json()["errors"]}


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
    token = tokens.create(user=user)
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


@pytest.mark.parametrize(
    ("changes", "attribute"),
    [
        ({"corpora": []}, "corpora"),
        ({"corpora": ["None"]}, "corpora.0"),
        ({"corpora": ["Tests", "Tests"]}, "corpora"),
        ({"corpora": [{"name": "Tests"}]}, "corpora.0"),
        ({"method": "imported"}, "method"),
        ({"method": ["word_swap"]}, "method"),
        ({"settings": [1]}, "settings"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63 - 1 + 0.5}, "seed"),
        ({"seed": "9" * 400}, "seed"),
        ({"project": "7"}, "project"),
        ({"previw": True}, "previw"),
    ],
)
def test_what_is_wrong_is_named(
    manager: APIClient, project: Project, changes: dict[str, Any], attribute: str
) -> None:
    fake.corpus(1)

    reply = start(manager, project, **changes)

    assert (reply.status_code, list(attributes(reply))) == (400, [attribute])
    assert not GenerationRun.objects.exists()


def test_a_setting_that_does_not_suit_the_method_is_named(
    manager: APIClient, project: Project
) -> None:
    fake.corpus(1)

    reply = start(manager, project, settings={"beem": 3})

    assert (reply.status_code, attributes(reply)) == (400, {"settings": "Unknown: beem."})


def test_a_run_whose_model_is_missing_does_not_start(manager: APIClient, project: Project) -> None:
    fake.corpus(1, "One")
    fake.corpus(1, "Two")

    reply = start(manager, project, corpora=["One", "Two"], settings={"model": "absent"})

    assert reply.status_code == 400
    assert attributes(reply) == {"non_field_errors": "The model is missing."}
    assert not GenerationRun.objects.exists()


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        ('{"model": "a\\u0000b"}', "settings.model holds a NUL"),
        ('{"model": "\\ud800"}', "settings.model holds half of a surrogate"),
        ('{"\\udfff": 1}', "A name in settings holds half"),
        ('{"seconds": 1e999}', "settings.seconds is a number out of bounds"),
        ('{"seconds": NaN}', "NaN is not JSON"),
        (f'{{"seconds": {"9" * 400}}}', "settings.seconds is a number out of bounds"),
        (f'{{"seconds": {"9" * 5000}}}', "not JSON"),
        (f'{{"model": {"[" * 20}{"]" * 20}}}', "nested more than"),
        (f'{{"model": {"[" * 30_000}{"]" * 30_000}}}', "nested too deeply"),
        (f'{{"model": "{"x" * 70_000}"}}', "longer than"),
        ('{"model": ', "not JSON"),
    ],
)
def test_hostile_settings_are_refused(
    manager: APIClient, project: Project, settings: str, place: str
) -> None:
    fake.corpus(1)
    body = json.dumps(asked(project))[:-1] + f', "settings": {settings}}}'

    reply = manager.post("/api/runs/", body, content_type="application/json")

    assert reply.status_code == 400
    assert place in reply.json()["errors"][0]["detail"]
    assert not GenerationRun.objects.exists()


def test_a_body_that_is_no_object_or_no_text_is_refused(manager: APIClient) -> None:
    for body in (b"[]", b"\xff\xfe", b""):
        reply = manager.generic("POST", "/api/runs/", body, content_type="application/json")
        assert reply.status_code == 400, body


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


def test_candidates_are_paged_in_the_order_of_the_corpus(
    manager: APIClient, project: Project
) -> None:
    run = adopted(project, size=25)
    worker.work_until_idle(run)
    address: str | None = f"/api/runs/{run.public_id}/candidates/?limit=4"

    rows = []
    while address:
        page = manager.get(address).json()
        rows += page["results"]
        address = page["next"]

    assert [row["source"] for row in rows] == [t for t in fake.texts(run.corpus) if " " in t]
    assert rows[0] == rows[0] | {
        "source": "sentence number 1",
        "text": "1 number sentence",
        "kind": "other",
        "rank": 0,
        "score": -7.0,
        "source_score": None,
        "similarity": 1.0,
        "inversion_rate": 1.0,
        "batch": 1,
    }


def test_pages_go_on_within_the_candidates_of_one_sentence(
    manager: APIClient, project: Project
) -> None:
    [first] = cast.candidates(project, [("A b c.", "B a c.")])
    made = cast.rewrites(project, first.sentence, ["A c b.", "C a b.", "C b a."])
    address = f"/api/runs/{made[0].run.public_id}/candidates/?limit=2"

    one = manager.get(address).json()
    two = manager.get(one["next"]).json()

    assert [row["rank"] for row in one["results"] + two["results"]] == [0, 1, 2]
    assert two["next"] is None
