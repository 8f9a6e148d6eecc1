"""How REST is asked: by declared parameters alone, as the schema says, for lists as lines, and in
ways that no program should ask; each of these is answered in the documented form, by 4xx.
(Made-up ones: tests/thorough/hostile/.)"""

import json
import re
from urllib.parse import quote

import pytest
from django.apps import apps
from django.core.management import call_command
from django.urls import resolve
from rest_framework.test import APIClient

from common.api import paging
from generation.models import Corpus
from support import oddities
from tests.annotation import make
from tests.annotation.rest import client_of, routes
from tests.annotation.test_rest_matrix import READABLE

pytestmark = pytest.mark.django_db

PAGE = {"after", "limit"}
PERIOD = {"submitted_from", "submitted_before"}
OF_ANSWERS = {"annotator", "run", "model", "method", "simulated"}
OF_PAIRS = "own_id method run model decided kept label rounds adjudicated excluded"
OF_PAIRS += " judging_model model_says decided_from decided_before"
# All other parameters are refused: one that is new has to be declared here.
ALLOWED = {
    **{name: set() for name in READABLE},
    **{
        f"api_{name}": PAGE
        for name in [
            "projects",
            "models",
            "model_tasks",
            "corpora",
            "sentences",
            "invitations",
            "imports",
            "recruiting",
            "terms",
        ]
    },
    "api_runs": PAGE | {"corpus", "method", "state", "model"},
    "api_candidates": PAGE | {"kind", "rank"},
    "api_pairs": PAGE | set(OF_PAIRS.split()),
    "api_judgments": PAGE | PERIOD | OF_ANSWERS | {"label", "excluded", "superseded"},
    "api_corrections": PAGE | PERIOD | OF_ANSWERS | {"action"},
    "api_comments": PAGE | {"closed"},
    "api_model_judgments": PAGE | {"label"},
    "api_examples": PAGE | {"subset", "split", "origin", "label"},
    **{f"api_{name}": PAGE | {"state"} for name in ("project_releases", "releases")},
}
HABITS = "ordering sort search q fields expand page offset cursor format pk _connector _negated *"
SECRET = "annotator__password__startswith"
LINES = "application/x-ndjson"
LISTS = "pairs judgments corrections models project_releases projects releases corpora runs"
LISTS += " model_judgments examples comments"


def names():
    """Of every field, the declared names with operators and in other spellings, and habits."""
    labels = ("accounts", "annotation", "generation", "releases")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    fields = {field.name for model in models for field in model._meta.get_fields()}
    declared = set().union(*ALLOWED.values())
    others = {each.upper() for each in declared} | {f"{each} " for each in declared}
    others |= {f"{each}__{operator}" for each in declared for operator in ("gt", "in", "isnull")}
    return declared | others | fields | {SECRET, "user__password", *HABITS.split()}


def unknown(reply):
    """The parameters that a refusal names, each as one that there is not."""
    assert reply.status_code == 400, reply.content[:200]
    errors = reply.json()["errors"]
    assert {error["code"] for error in errors} == {"unknown"}
    return {error["attr"] for error in errors}


def test_only_declared_parameters_are_taken_and_each_is_checked(at, as_):
    client, every = as_("superuser"), names()
    assert 300 < len(every) < 1000  # Django reads no more parameters of a request
    for name, allowed in ALLOWED.items():
        wrong = every - allowed
        assert unknown(client.get(at[name], dict.fromkeys(wrong, "1"))) == wrong, name
        asked = dict.fromkeys(allowed & {"limit"}, "1") | {SECRET: "a"}
        assert unknown(client.get(at[name], asked)) == {SECRET}, name
        for parameter in allowed:
            (error,) = client.get(at[name], {parameter: "☃ nothing"}).json()["errors"]
            assert error["attr"] == parameter, name
            assert error["detail"] != "There is no such parameter.", name
    for name in ("api_runs", "api_run_steering"):
        assert unknown(client.post(f"{at[name]}?{SECRET}=a", {}, format="json")) == {SECRET}


def test_the_schema_describes_every_operation_as_it_is(tmp_path):
    options = {"validate": True, "fail_on_warn": True, "format": "openapi-json"}
    call_command("spectacular", file=str(tmp_path / "schema.json"), **options)
    paths = json.loads((tmp_path / "schema.json").read_text())["paths"]
    assert len(paths) == len(routes()) - 3  # but for the schema, its page, and what is not there
    parameters, written = {}, {}
    for path, ways in paths.items():
        address = re.sub(r"\{\w+\}", "00000000-0000-4000-8000-000000000000", path)
        for way, operation in ways.items():
            assert f"`{operation['x-scope']}`" in operation["description"], path
            if way != "get":
                written[f"{way} {path}"] = operation["x-scope"]
                continue
            errors = {"400", "401", "403", "405"} | ({"404"} if "{" in path else set())
            assert errors <= operation["responses"].keys(), path
            asked = [each for each in operation.get("parameters", ()) if each["in"] == "query"]
            parameters[resolve(address).url_name] = {each["name"] for each in asked}
    assert parameters == ALLOWED
    assert written == {
        "post /api/corpora/": "manage",
        "post /api/corpora/{name}/flashcards/": "manage",
        "post /api/corpora/{name}/sentences/": "manage",
        "post /api/model-tasks/{public_id}/{step}/": "manage",
        "post /api/projects/": "manage",
        "post /api/projects/{public_id}/model-tasks/": "manage",
        "patch /api/projects/{public_id}/settings/": "manage",
        "post /api/projects/{public_id}/{step}/": "manage",
        "post /api/projects/{public_id}/gold-pairs/": "manage",
        "post /api/projects/{public_id}/models/": "manage",
        "post /api/projects/{public_id}/pairs/": "manage",
        "post /api/projects/{public_id}/pairs/{step}/": "manage",
        "post /api/projects/{public_id}/qualification/": "manage",
        "post /api/projects/{public_id}/simulated/{number}/{kind}/": "manage",
        "post /api/projects/{public_id}/invitations/": "manage",
        "post /api/projects/{public_id}/recruiting/": "manage",
        "post /api/projects/{public_id}/recruiting/{recruitment_id}/revoke/": "manage",
        "post /api/projects/{public_id}/terms/": "manage",
        "patch /api/projects/{public_id}/terms/{term_id}/": "manage",
        "delete /api/projects/{public_id}/terms/{term_id}/": "manage",
        "post /api/projects/{public_id}/translations/": "manage",
        "post /api/projects/{public_id}/translations/delivery/": "manage",
        "post /api/projects/{public_id}/releases/": "manage",
        "patch /api/releases/{public_id}/": "manage",
        "delete /api/releases/{public_id}/": "manage",
        "post /api/releases/{public_id}/{step}/": "manage",
        "post /api/runs/": "manage",
        "post /api/runs/{public_id}/{action}/": "manage",
    }


@pytest.fixture
def pages_of_two(monkeypatch):
    """A whole list is read two rows at a time."""
    monkeypatch.setattr(paging, "MAX_ROWS", 2)


def lines(client, address, **query):
    reply = client.get(address, query, headers={"Accept": LINES})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, LINES)
    text = b"".join(reply.streaming_content).decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_every_list_can_be_read_as_lines_of_the_same_rows(at, as_, reader, pages_of_two):
    for name in (*LISTS.split(), "candidates"):
        rows = reader.get(at[f"api_{name}"]).json()["results"]
        assert rows, name
        assert lines(reader, at[f"api_{name}"]) == rows, name
    assert lines(as_("stranger"), at["api_projects"]) == []
    for name, query, status in (("judgments", {"labl": "x"}, 400), ("project", {}, 406)):
        reply = reader.get(at[f"api_{name}"], query, headers={"Accept": LINES})
        assert problem(reply)[0] == status
    address = at["api_judgments"]
    rows = lines(reader, address)
    assert len(rows) == 5
    assert lines(reader, address, label=1) == [row for row in rows if row["label"] == 1]
    assert lines(reader, address, limit=3) == rows[:3]
    assert lines(reader, address, after=f"{rows[0]['pair']}.{rows[0]['slot']}") == rows[1:]


@pytest.mark.both_engines
def test_lines_are_read_page_by_page_while_answers_come_in(study, at, reader, pages_of_two):
    pages = iter(reader.get(at["api_judgments"], headers={"Accept": LINES}))
    first = next(pages)
    make.judge_all(make.person(study.project), 1)
    rows = [json.loads(line) for line in b"".join([first, *pages]).splitlines()]
    assert len(rows) == len({(row["pair"], row["slot"]) for row in rows}) == 6


def problem(reply):
    """Its status and codes, in the documented form."""
    error = reply.json()
    assert error.keys() == {"type", "errors"}
    return reply.status_code, error["type"], [each["code"] for each in error["errors"]]


def test_each_kind_of_mistake_has_its_own_documented_answer():
    client = client_of(make.person(make.study(), role="manager").user)
    for token in oddities.UNKNOWN_TOKENS:
        reply = APIClient().get("/api/projects/", headers={"Authorization": token})
        assert problem(reply) == (401, "client_error", ["authentication_failed"]), token
    for path in ("", "nothing/", "pairs/7/", "projects/7/pairs/", "runs/7/approve/", "admin/"):
        in_html = client.get(f"/api/{path}", headers={"Accept": "text/html"})
        for reply in (in_html, client.post(f"/api/{path}")):
            assert problem(reply) == (404, "client_error", ["not_found"]), path
    reply = client.trace("/api/projects/")
    assert problem(reply) == (405, "client_error", ["method_not_allowed"])
    assert "GET" in reply.headers["Allow"]
    reply = client.get("/api/projects/", headers={"Accept": "text/html"})
    assert problem(reply) == (406, "client_error", ["not_acceptable"])
    for kind in oddities.KINDS:
        reply = client.generic("POST", "/api/runs/", b"--x\r\nnothing", content_type=kind)
        in_json = kind.startswith("application/json")
        assert problem(reply)[0] in ({400, 415} if in_json or not kind else {415}), kind
    many = "&".join(f"a{n}=1" for n in range(1100))
    for query in (many, "%ff=%fe", "limit=%F0%9F%A6%8A", "=", "&&=&"):
        reply = client.get(f"/api/projects/?{query}")
        assert problem(reply)[:2] == (400, "validation_error"), query
    assert client.get("/api/projects/?&&").status_code == 200


def test_a_corpus_is_found_by_any_name(study, reader):
    for name in ("Rivers", "a/b", "Ärger & Co. 100 %", "..", "日本語?x=1#y"):
        Corpus.objects.update(name=name)
        reply = reader.get(f"/api/corpora/{quote(name, safe='')}/")
        assert (reply.status_code, reply.json()["name"], reply.json()["runs"]) == (200, name, 2)
