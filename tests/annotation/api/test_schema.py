"""The description of the interface: complete, and true of every operation."""

import json

import pytest
from django.core.management import call_command

from tests.annotation.api.routes import NOWHERE, routes


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    options = {"validate": True, "fail_on_warn": True, "format": "openapi-json"}
    call_command("spectacular", file=str(file), **options)
    return json.loads(file.read_text())["paths"]


@pytest.fixture(scope="module")
def operations(paths):
    return {
        f"{method} {path}": operation
        for path, methods in paths.items()
        for method, operation in methods.items()
    }


def test_every_address_is_described_and_nothing_is_written_but_runs_and_tokens(paths):
    assert len(paths) == len(routes().keys() - {"api_schema", "api_docs", NOWHERE})
    written = {path: set(methods) for path, methods in paths.items() if set(methods) != {"get"}}
    assert written == {
        "/api/tokens/current/": {"delete"},
        "/api/runs/": {"get", "post"},
        "/api/runs/{public_id}/{action}/": {"post"},
    }


def test_every_operation_says_what_it_does_and_which_scope_it_needs(operations):
    for name, operation in operations.items():
        assert 0 < len(operation["summary"]) <= 80, name
        assert operation["description"].startswith(operation["summary"]), name
        assert f"`{operation['x-scope']}`" in operation["description"], name
        assert len(operation["tags"]) == 1, name
    for name, scope in (
        ("get /api/runs/", "read"),
        ("post /api/runs/", "manage"),
        ("delete /api/tokens/current/", "releases"),
    ):
        assert operations[name]["x-scope"] == scope


def test_every_operation_documents_its_answers_with_examples_and_its_errors(operations):
    for name, operation in operations.items():
        for status in ("200", "201", "400", "409", "410"):
            answer = operation["responses"].get(status, {}).get("content", {})
            in_json = answer.get("application/json")
            assert in_json is None or in_json.get("examples"), f"{name} {status}"
        if name.startswith("get "):
            wanted = {"400", "401", "403", "405"} | ({"404"} if "{" in name else set())
            assert wanted <= operation["responses"].keys(), name


def test_steering_documents_its_actions_and_its_refusals(operations):
    steering = operations["post /api/runs/{public_id}/{action}/"]

    [action] = [each for each in steering["parameters"] if each["name"] == "action"]
    assert set(action["schema"]["enum"]) == {"approve", "pause", "resume", "retry", "cancel"}
    assert {"200", "400", "401", "403", "404", "409"} <= steering["responses"].keys()


def test_lists_come_as_lines_too_and_errors_as_json_alone(operations):
    answers = operations["get /api/projects/{public_id}/pairs/"]["responses"]

    row = {"schema": {"$ref": "#/components/schemas/PairRow"}}
    assert answers["200"]["content"].keys() == {"application/json", "application/x-ndjson"}
    assert answers["200"]["content"]["application/x-ndjson"] == row
    assert answers["400"]["content"].keys() == {"application/json"}
    assert sum("x-ndjson" in json.dumps(each) for each in operations.values()) == 11
