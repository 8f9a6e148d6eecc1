"""The description of the interface: complete, and true of every operation."""

import json

import pytest
from django.core.management import call_command

from tests.annotation.api.routes import routes


@pytest.fixture(scope="module")
def operations(tmp_path_factory):
    file = tmp_path_factory.mktemp("schema") / "schema.json"
    options = {"validate": True, "fail_on_warn": True, "format": "openapi-json"}
    call_command("spectacular", file=str(file), **options)
    paths = json.loads(file.read_text())["paths"]
    assert len(paths) == len(routes()) - 3  # but for the schema, its page, and what is not there
    return {f"{way} {path}": each for path, ways in paths.items() for way, each in ways.items()}


def test_nothing_is_written_but_runs_and_tokens_in_their_scopes(operations):
    written = {name: each["x-scope"] for name, each in operations.items() if name[:3] != "get"}
    assert written == {
        "delete /api/tokens/current/": "releases",
        "post /api/runs/": "manage",
        "post /api/runs/{public_id}/{action}/": "manage",
    }
    assert operations["get /api/runs/"]["x-scope"] == "read"
    steering = operations["post /api/runs/{public_id}/{action}/"]
    [action] = [each for each in steering["parameters"] if each["name"] == "action"]
    assert set(action["schema"]["enum"]) == {"approve", "pause", "resume", "retry", "cancel"}
    assert {"200", "400", "401", "403", "404", "409"} <= steering["responses"].keys()


def test_every_operation_describes_its_scope_its_answers_and_its_errors(operations):
    for name, operation in operations.items():
        assert 0 < len(operation["summary"]) <= 80, name
        assert operation["description"].startswith(operation["summary"]), name
        assert f"`{operation['x-scope']}`" in operation["description"], name
        assert len(operation["tags"]) == 1, name
        for status, answer in operation["responses"].items():
            in_json = answer.get("content", {}).get("application/json")
            documented = in_json is None or in_json.get("examples")
            assert documented or status not in {"200", "201", "400", "409", "410"}, (name, status)
        wanted = {"400", "401", "403", "405"} | ({"404"} if "{" in name else set())
        assert not name.startswith("get") or wanted <= operation["responses"].keys(), name


def test_lists_come_as_lines_too_and_errors_as_json_alone(operations):
    answers = operations["get /api/projects/{public_id}/pairs/"]["responses"]
    row = {"schema": {"$ref": "#/components/schemas/PairRow"}}
    assert answers["200"]["content"].keys() == {"application/json", "application/x-ndjson"}
    assert answers["200"]["content"]["application/x-ndjson"] == row
    assert answers["400"]["content"].keys() == {"application/json"}
    assert sum("x-ndjson" in json.dumps(each) for each in operations.values()) == 11
