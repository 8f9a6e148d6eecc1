"""Runs over REST: started and steered by managers, with a method that needs no model."""

from dataclasses import replace
from unittest.mock import Mock

import pytest
from rest_framework.test import APIClient

from accounts.audited_acts import Act
from accounts.models import AuditEntry, User
from annotation.runs import services as runs
from generation import methods, tasks
from generation.models import GenerationRun
from generation.nlp.settings import Preset
from support import fake, hostile_lines, oddities
from support.workers import work_until_idle
from tests.annotation import make
from tests.annotation.filled import person
from tests.annotation.rest import client_of, rows

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def project():
    return make.study()


@pytest.fixture
def manager(project):
    return client_of(person("manager", project))


def asked(project, /, **changes):
    usual = {"project": str(project.public_id), "corpora": ["Tests"], "method": "word_swap"}
    return usual | changes


def start(client, project, /, **changes):
    return client.post("/api/runs/", asked(project, **changes), format="json")


def readable(project, size, name="Tests"):
    """A corpus that the people of a project may read, because of a run that is over."""
    over = fake.run(made := fake.corpus(size, name))
    runs.adopt(project, over)
    GenerationRun.objects.filter(pk=over.pk).update(state="cancelled")
    return made


def steer(client, run, action):
    return client.post(f"/api/runs/{run.public_id}/{action}/")


def adopted(project, size=12, **settings):
    project.runs.add(run := fake.run(fake.corpus(size), **settings))
    return run


def details(reply):
    """What was wrong, by the name of what was asked."""
    assert reply.status_code == 400
    assert not GenerationRun.objects.filter(started_by__isnull=False).exists()
    return {error["attr"]: error["detail"] for error in reply.json()["errors"]}


def test_a_manager_starts_a_run_over_each_corpus(manager, project, monkeypatch):
    monkeypatch.setattr(tasks, "wake", woken := Mock())
    for name in ("One", "Two"):
        readable(project, 25, name)
    options = {"settings": {"seconds": 0.5}, "seed": 3, "preview": True}
    reply = start(manager, project, corpora=["One", "Two"], **options)
    assert reply.status_code == 201
    started = reply.json()["runs"]
    one, two = GenerationRun.objects.exclude(state="cancelled").order_by("pk")
    for run, row, corpus in zip((one, two), started, ("One", "Two"), strict=True):
        facts = {"id": str(run.public_id), "corpus": corpus, "seed": 3, "preview": True}
        assert row | facts | {"state": "running"} == row
    assert one.settings == fake.DEFAULTS | {"seconds": 0.5}
    assert one.started_by == User.objects.get(username="manager")
    assert set(project.runs.exclude(state="cancelled")) == {one, two}
    assert [call.args for call in woken.call_args_list] == [(one.pk,), (two.pk,)]


def test_a_preset_gives_the_settings_that_are_not_sent(manager, project, monkeypatch):
    readable(project, 1)
    slow = Preset("slow", "Slow", "Half a second.", {"seconds": 0.5, "fails_on": "w0"})
    monkeypatch.setitem(methods.METHODS, "word_swap", replace(fake.METHOD, presets=(slow,)))
    reply = start(manager, project, preset="slow", settings={"fails_on": ""})
    assert reply.json()["runs"][0]["settings"] == fake.DEFAULTS | {"seconds": 0.5}


def test_a_session_starts_runs_with_its_csrf_token_alone(project):
    readable(project, 1)
    session = APIClient(enforce_csrf_checks=True)
    session.force_login(person("manager", project))
    assert start(session, project).status_code == 403
    session.get("/accounts/logout/")
    session.credentials(HTTP_X_CSRFTOKEN=session.cookies["csrftoken"].value)
    assert start(session, project).status_code == 201


def test_a_wrong_value_is_refused_by_the_name_of_its_field(manager, project):
    readable(project, 1)
    for attribute, values in {
        "corpora": ([], ["Tests", "Tests"]),
        "corpora.0": (["None"], [{"name": "Tests"}]),
        "method": ("imported", ["word_swap"]),
        "settings": ([1],),
        "preset": ("nonsense",),
        "rewrite": ("words", ["pairs"]),
        "seed": (-1, 2**63 - 1 + 0.5, "9" * 400),
        "project": ("7",),
        "previw": (True,),
    }.items():
        for value in values:
            reply = start(manager, project, **{attribute.partition(".")[0]: value})
            assert list(details(reply)) == [attribute], value
    unknown = {"settings": "Unknown settings of backwards: beem."}
    assert details(start(manager, project, settings={"beem": 3})) == unknown
    readable(project, 1, "Two")
    reply = start(manager, project, corpora=["Tests", "Two"], settings={"model": "absent"})
    assert details(reply) == {None: "The model is missing."}


@pytest.mark.parametrize(("rewrite", "number"), [("pairs", 1), ("sentences", 0)])
def test_word_swaps_or_sentences_are_rewritten_as_chosen(
    manager, project, monkeypatch, rewrite, number
):
    takes_pairs = replace(fake.METHOD, takes_pairs=True)
    monkeypatch.setitem(methods.METHODS, "back_translation", takes_pairs)
    runs.adopt(project, swapped := fake.run(fake.corpus(12)))
    work_until_idle(swapped)
    fake.correct((swapped.candidate_set.first(), "A corrected sentence."))
    reply = start(manager, project, method="back_translation", rewrite=rewrite)
    assert reply.status_code == 201
    assert len(reply.json()["runs"][0]["pairs_of"]) == number


def test_pairs_are_refused_of_a_method_that_rewrites_sentences_alone(manager, project):
    readable(project, 1)
    refusal = {"settings": "The method word_swap rewrites sentences, not pairs."}
    assert details(start(manager, project, rewrite="pairs")) == refusal


def test_a_corpus_of_others_is_named_as_one_that_does_not_exist(manager, project):
    hidden = fake.run(fake.corpus(2, "Hidden"))
    make.adopt(make.study(), hidden)
    shared = readable(project, 2, "Shared")
    make.adopt(make.study(), fake.run(shared))
    found = [details(start(manager, project, corpora=[name])) for name in ("Hidden", "Nowhere")]
    assert (
        found[0]
        == found[1]
        == {"corpora.0": "There is no such corpus among those that you may use."}
    )
    # Of the runs of a corpus, those of other projects are not counted.
    [row] = rows(manager, "/api/corpora/")
    assert (row["name"], row["runs"]) == ("Shared", 1)


def test_hostile_bodies_are_refused(manager):
    fake.corpus(1)
    of_corpora = [
        b'{"corpora": ["' + each + b'"]}' for each in (*hostile_lines.BAD, b"x" * 3_000_000)
    ]
    for body in (*oddities.BODIES, *of_corpora):
        reply = manager.post("/api/runs/", body, content_type="application/json")
        assert reply.status_code in {400, 413}, body[:60]
    assert not GenerationRun.objects.exists()


def test_a_manager_steers_a_run(manager, project, monkeypatch):
    monkeypatch.setattr(tasks, "wake", woken := Mock())
    run = adopted(project, fails_on="sentence number 7")
    assert steer(manager, run, "approve").status_code == 409  # for it is no preview
    assert steer(manager, run, "pause").json()["state"] == "paused"
    assert steer(manager, run, "resume").json()["state"] == "running"
    work_until_idle(run)
    row = manager.get(f"/api/runs/{run.public_id}/").json()
    reason = "MemoryError: cannot rewrite 'sentence number 7'"
    assert row["parked"] == [{"number": 2, "size": 5, "reason": reason}]
    facts = {"actions": ["retry"], "queue": "cpu", "preview": False, "pairs_of": []}
    assert row | facts == row
    assert steer(manager, run, "retry").json()["progress"]["parked_batches"] == 0
    assert steer(manager, run, "cancel").json()["state"] == "cancelled"
    assert {call.args for call in woken.call_args_list} == {(run.pk,)}
    assert steer(manager, run, "delete").status_code == 404
    reply = steer(manager, run, "resume")
    [error] = reply.json()["errors"]
    assert error["detail"] == "The run is cancelled: it cannot be resumed."
    assert (reply.status_code, error["code"]) == (409, "conflict")


def test_starting_a_run_is_on_record_as_is_steering_it(manager, project):
    readable(project, 3)
    run = GenerationRun.objects.get(public_id=start(manager, project).json()["runs"][0]["id"])
    steer(manager, run, "pause")
    entries = AuditEntry.objects.filter(public_id=run.public_id).order_by("pk")
    assert [entry.act for entry in entries] == [Act.RUN_STARTED, Act.RUN_STEERED]
    assert {entry.by.username for entry in entries} == {"manager"}


def test_an_administrator_steers_a_run_that_no_project_has():
    root = client_of(User.objects.create_superuser("root"))
    assert steer(root, fake.run(fake.corpus(3)), "pause").json()["state"] == "paused"


def test_a_run_says_when_its_preview_waits_for_approval(manager, project):
    [run] = runs.start(project, [fake.corpus(25)], method="word_swap", preview=True)
    address = f"/api/runs/{run.public_id}/"

    def said():
        listed = next(each for each in rows(manager, "/api/runs/") if each["id"] in address)
        return listed["awaits_approval"], manager.get(address).json()["awaits_approval"]

    assert said() == (False, False)
    run.batches.filter(number=1).update(state="parked")
    assert said() == (False, False)
    steer(manager, run, "retry")
    work_until_idle(run)
    assert said() == (True, True)
    assert manager.get(address).json()["preview_sentences"] == 20
    assert steer(manager, run, "approve").json()["awaits_approval"] is False


@pytest.mark.both_engines
def test_candidates_are_paged_in_the_order_of_the_corpus(manager, project):
    run = adopted(project, size=25)
    work_until_idle(run)
    found = list(rows(manager, f"/api/runs/{run.public_id}/candidates/", limit=4))
    assert [row["source"] for row in found] == [t for t in fake.texts(run.corpus) if " " in t]
    first = {"source": "sentence number 1", "text": "1 number sentence", "kind": "other"}
    first |= {"rank": 0, "score": -7.0, "source_score": None, "similarity": 1.0, "batch": 1}
    assert found[0] | first == found[0]
    [made] = make.candidates(project, [("A b c.", "B a c.")])
    several = make.rewrites(project, made.sentence, ["A c b.", "C a b.", "C b a."])
    address = f"/api/runs/{several[0].run.public_id}/candidates/"
    assert [row["rank"] for row in rows(manager, address, limit=2)] == [0, 1, 2]
