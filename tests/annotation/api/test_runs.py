"""Runs over REST: started and steered by managers, with the method of tests.generation.fake."""

import json
from unittest.mock import Mock

import pytest
from django.test import Client

from accounts.models import User
from annotation.services import intake, projects
from generation import tasks
from generation.models import GenerationRun
from generation.services import worker
from tests.annotation import cast
from tests.annotation.api import oddities
from tests.annotation.api.conftest import client_of
from tests.annotation.filled import person
from tests.generation import fake, hostile

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def project():
    """Nothing is in it yet."""
    return cast.study()


@pytest.fixture
def manager(project):
    return client_of(person("manager", project))


def asked(project, /, **changes):
    return {
        "project": str(project.public_id),
        "corpora": ["Tests"],
        "method": "word_swap",
    } | changes


def start(client, project, /, **changes):
    return client.post("/api/runs/", asked(project, **changes), format="json")


def steer(client, run, action):
    return client.post(f"/api/runs/{run.public_id}/{action}/")


def adopted(project, size=12, **settings):
    projects.adopt(project, run := fake.run(fake.corpus(size), **settings))
    return run


def details(reply):
    """What was wrong, by the name of what was asked."""
    assert reply.status_code == 400
    assert not GenerationRun.objects.exists()
    return {error["attr"]: error["detail"] for error in reply.json()["errors"]}


def test_a_manager_starts_a_run_over_each_corpus(manager, project, monkeypatch):
    monkeypatch.setattr(tasks, "wake", woken := Mock())
    for name in ("One", "Two"):
        fake.corpus(25, name)
    options = {"settings": {"seconds": 0.5}, "seed": 3, "preview": True}
    reply = start(manager, project, corpora=["One", "Two"], **options)
    assert reply.status_code == 201
    started = reply.json()["runs"]
    facts = [(run["corpus"], run["seed"], run["preview"], run["state"]) for run in started]
    assert facts == [("One", 3, True, "running"), ("Two", 3, True, "running")]
    one, two = GenerationRun.objects.order_by("pk")
    assert [run["id"] for run in started] == [str(one.public_id), str(two.public_id)]
    assert one.settings == fake.DEFAULTS | {"seconds": 0.5}
    assert one.started_by == User.objects.get(username="manager")
    assert set(project.runs.all()) == {one, two}
    assert [call.args for call in woken.call_args_list] == [(one.pk,), (two.pk,)]


def test_a_session_starts_runs_with_its_csrf_token_alone(project):
    fake.corpus(1)
    session = Client(enforce_csrf_checks=True)
    session.force_login(person("manager", project))
    body, kind = json.dumps(asked(project)), "application/json"
    assert session.post("/api/runs/", body, content_type=kind).status_code == 403
    session.get("/accounts/logout/")
    csrf = {"x-csrftoken": session.cookies["csrftoken"].value}
    assert session.post("/api/runs/", body, content_type=kind, headers=csrf).status_code == 201


def test_only_managers_of_the_project_start_and_steer_its_runs(project):
    run = adopted(project)
    elsewhere = cast.person(cast.study(), role="manager")
    both = cast.person(cast.study(), role="manager")
    projects.add_member(project, both.user, role="researcher")
    roles = {"anonymous": 401, "stranger": 404, "annotator": 404, "researcher": 403}
    users = {person(role, project): status for role, status in roles.items()}
    for user, status in (users | {elsewhere.user: 404, both.user: 403}).items():
        client = client_of(user)
        assert start(client, project).status_code == status, user
        for action in ("approve", "pause", "resume", "retry", "cancel"):
            assert steer(client, run, action).status_code == status, (user, action)
    assert GenerationRun.objects.get().state == "running"
    assert start(client_of(person("superuser", project)), project).status_code == 201


def test_a_wrong_value_is_refused_by_the_name_of_its_field(manager, project):
    fake.corpus(1)
    for attribute, values in {
        "corpora": ([], ["Tests", "Tests"]),
        "corpora.0": (["None"], [{"name": "Tests"}]),
        "method": ("imported", ["word_swap"]),
        "settings": ([1],),
        "seed": (-1, 2**63 - 1 + 0.5, "9" * 400),
        "project": ("7",),
        "previw": (True,),
    }.items():
        for value in values:
            reply = start(manager, project, **{attribute.partition(".")[0]: value})
            assert list(details(reply)) == [attribute], value
    assert details(start(manager, project, settings={"beem": 3})) == {"settings": "Unknown: beem."}
    fake.corpus(1, "Two")
    reply = start(manager, project, corpora=["Tests", "Two"], settings={"model": "absent"})
    assert details(reply) == {"non_field_errors": "The model is missing."}


def test_hostile_bodies_and_settings_are_refused(manager, project):
    fake.corpus(1)

    def posted(body):
        return manager.post("/api/runs/", body, content_type="application/json")

    for settings, place in (
        ('{"model": "\\ud800"}', "settings.model holds half of a surrogate"),
        ('{"seconds": 1e999}', "settings.seconds is a number out of bounds"),
        (f'{{"seconds": {"9" * 5000}}}', "not JSON"),
        (f'{{"model": {"[" * 30_000}{"]" * 30_000}}}', "nested too deeply"),
        (f'{{"model": "{"x" * 70_000}"}}', "longer than"),
    ):
        reply = posted(json.dumps(asked(project))[:-1] + f', "settings": {settings}}}')
        assert place in details(reply).popitem()[1], settings[:60]
    of_corpora = [b'{"corpora": ["' + each + b'"]}' for each in (*hostile.BAD, b"x" * 3_000_000)]
    of_seeds = [b'{"seed": ' + each + b"}" for each in hostile.BAD_JSON]
    for body in (*oddities.BODIES, *of_corpora, *of_seeds):
        assert posted(body).status_code in {400, 413}, body[:60]
    assert not GenerationRun.objects.exists()


def test_a_manager_steers_a_run(manager, project, monkeypatch):
    monkeypatch.setattr(tasks, "wake", woken := Mock())
    run = adopted(project, fails_on="sentence number 7")
    assert steer(manager, run, "pause").json()["state"] == "paused"
    assert steer(manager, run, "resume").json()["state"] == "running"
    worker.work_until_idle(run)
    row = manager.get(f"/api/runs/{run.public_id}/").json()
    reason = "RuntimeError: cannot rewrite 'sentence number 7'"
    assert row["parked"] == [{"number": 2, "size": 5, "reason": reason}]
    assert row["actions"] == ["retry"]
    assert (row["queue"], row["preview"], row["pairs_of"]) == ("cpu", False, [])
    assert steer(manager, run, "retry").json()["progress"]["parked_batches"] == 0
    assert steer(manager, run, "cancel").json()["state"] == "cancelled"
    assert {call.args for call in woken.call_args_list} == {(run.pk,)}
    assert steer(manager, run, "delete").status_code == 404
    reply = steer(manager, run, "resume")
    [error] = reply.json()["errors"]
    assert error["detail"] == "The run is cancelled: it cannot be resumed."
    assert (reply.status_code, error["code"]) == (409, "conflict")


def test_a_preview_enters_the_project_once_it_is_approved(manager, project):
    fake.corpus(30)
    start(manager, project, preview=True)
    run = GenerationRun.objects.get()
    worker.work_until_idle()
    assert intake.take_in(project) == 0
    row = steer(manager, run, "approve").json()
    assert (row["preview"], row["actions"]) == (False, ["pause", "cancel"])
    worker.work_until_idle()
    assert intake.take_in(project) == 27


@pytest.mark.both_engines
def test_candidates_are_paged_in_the_order_of_the_corpus(manager, project):
    run = adopted(project, size=25)
    worker.work_until_idle(run)
    rows, address = [], f"/api/runs/{run.public_id}/candidates/?limit=4"
    while address:
        page = manager.get(address).json()
        rows += page["results"]
        address = page["next"]
    assert [row["source"] for row in rows] == [t for t in fake.texts(run.corpus) if " " in t]
    first = {"source": "sentence number 1", "text": "1 number sentence", "kind": "other"}
    first |= {"rank": 0, "score": -7.0, "source_score": None, "similarity": 1.0, "batch": 1}
    assert rows[0] | first == rows[0]
    [made] = cast.candidates(project, [("A b c.", "B a c.")])
    several = cast.rewrites(project, made.sentence, ["A c b.", "C a b.", "C b a."])
    one = manager.get(f"/api/runs/{several[0].run.public_id}/candidates/?limit=2").json()
    two = manager.get(one["next"]).json()
    assert [row["rank"] for row in one["results"] + two["results"]] == [0, 1, 2]
    assert two["next"] is None
