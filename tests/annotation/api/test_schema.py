"""The description of the interface: complete, open to whoever is signed in, and shown in a page."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import get_resolver, reverse

from accounts.models import User


@pytest.fixture(scope="module")
def schema(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file: Path = tmp_path_factory.mktemp("schema") / "schema.json"
    call_command(
        "spectacular", validate=True, fail_on_warn=True, file=str(file), format="openapi-json"
    )
    return json.loads(file.read_text())


def test_the_schema_holds_every_address(schema: Any) -> None:
    names = [name for name in get_resolver().reverse_dict if str(name).startswith("api_")]

    documented = set(names) - {"api_schema", "api_docs"}
    assert len(schema["paths"]) == len(documented)


def test_nothing_is_written_but_runs_and_tokens(schema: Any) -> None:
    methods = {path: set(operations) for path, operations in schema["paths"].items()}

    written = {path: names for path, names in methods.items() if names != {"get"}}
    assert written == {
        "/api/tokens/current/": {"delete"},
        "/api/runs/": {"get", "post"},
        "/api/runs/{public_id}/{action}/": {"post"},
    }


def test_steering_documents_its_actions_and_its_refusals(schema: Any) -> None:
    steering = schema["paths"]["/api/runs/{public_id}/{action}/"]["post"]

    action = next(each for each in steering["parameters"] if each["name"] == "action")
    assert set(action["schema"]["enum"]) == {"approve", "pause", "resume", "retry", "cancel"}
    assert {"200", "400", "401", "403", "404", "409"} <= set(steering["responses"])


def operations_of(schema: Any) -> dict[str, Any]:
    return {
        f"{method} {path}": operation
        for path, operations in schema["paths"].items()
        for method, operation in operations.items()
    }


def test_every_operation_says_what_it_does_and_which_scope_it_needs(schema: Any) -> None:
    for name, told in operations_of(schema).items():
        assert 0 < len(told["summary"]) <= 80, name
        assert told["description"].startswith(told["summary"]), name
        assert f"`{told['x-scope']}`" in told["description"], name


def test_every_operation_stands_in_one_of_the_chapters(schema: Any) -> None:
    chapters = [chapter["name"] for chapter in schema["tags"]]

    assert {tuple(told["tags"]) for told in operations_of(schema).values()} == {
        (chapter,) for chapter in chapters
    }


def test_scopes_are_those_that_are_asked_for(schema: Any) -> None:
    scopes = {name: told["x-scope"] for name, told in operations_of(schema).items()}

    assert scopes["get /api/runs/"] == "read"
    assert scopes["post /api/runs/"] == "manage"
    assert scopes["delete /api/tokens/current/"] == "releases"


def test_lists_come_as_lines_too_and_errors_as_json_alone(schema: Any) -> None:
    answers = schema["paths"]["/api/projects/{public_id}/pairs/"]["get"]["responses"]

    row = {"schema": {"$ref": "#/components/schemas/PairRow"}}
    assert answers["200"]["content"].keys() == {"application/json", "application/x-ndjson"}
    assert answers["200"]["content"]["application/x-ndjson"] == row
    assert answers["400"]["content"].keys() == {"application/json"}
    lines = [path for path, told in schema["paths"].items() if "x-ndjson" in json.dumps(told)]
    assert len(lines) == 11


def test_every_answer_in_json_has_an_example(schema: Any) -> None:
    for name, told in operations_of(schema).items():
        for status in ("200", "201", "400", "409", "410"):
            answer = told["responses"].get(status, {}).get("content", {}).get("application/json")
            assert answer is None or answer.get("examples"), f"{name} {status}"


@pytest.mark.parametrize("status", ["400", "401", "403", "404", "405"])
def test_every_read_documents_its_errors(schema: Any, status: str) -> None:
    for path, operations in schema["paths"].items():
        if "get" in operations and (status != "404" or "{" in path):
            assert status in operations["get"]["responses"], path


@pytest.mark.django_db
def test_the_schema_is_for_whoever_is_signed_in(client: Client) -> None:
    assert client.get(reverse("api_schema")).status_code == 401
    assert client.get(reverse("api_docs")).status_code == 302

    client.force_login(User.objects.create_user("ada"))
    assert client.get(reverse("api_schema")).status_code == 200
    assert client.get(reverse("api_docs")).status_code == 200
