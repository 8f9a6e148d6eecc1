"""Parameters of REST: those that are declared, and no field of any model, by no operator; and the
schema, which describes them and all else."""

import json
import re

import pytest
from django.apps import apps
from django.core.management import call_command

from tests.annotation.api.routes import routes
from tests.annotation.api.test_matrix import READABLE

PAGE = {"after", "limit"}
PERIOD = {"submitted_from", "submitted_before"}
OF_PAIRS = "method decided kept label rounds adjudicated decided_from decided_before"
# Whatever else a request names is refused: a parameter that is new has to be declared here.
ALLOWED = {
    **{name: set() for name in READABLE},
    **{f"api_{name}": PAGE for name in ("projects", "guests", "corpora", "runs", "candidates")},
    "api_pairs": PAGE | set(OF_PAIRS.split()),
    "api_judgments": PAGE | PERIOD | {"label", "method", "held_out", "superseded", "simulated"},
    "api_corrections": PAGE | PERIOD | {"action", "method", "simulated"},
    "api_guest": PAGE | {"label"},
    **{f"api_{name}": PAGE | {"state"} for name in ("project_releases", "releases")},
}
OPERATORS = "exact iexact contains startswith regex gt lte in range isnull date__year in_bulk"
# What frameworks and their habits know.
HABITS = "ordering sort search q fields expand page offset cursor format pk _connector _negated *"
SECRET = "annotator__password__startswith"
# Django reads no more parameters than 1,000 of a request.
AT_ONCE = 900


def names():
    """Every field and relation of every model, with operators, and as it is reached from the
    others; each declared name in other spellings; and what has been tried elsewhere."""
    labels = ("accounts", "annotation", "generation")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    fields = [field for model in models for field in model._meta.get_fields()]
    declared = set().union(*ALLOWED.values())
    found = {SECRET, *HABITS.split(), *(field.name for field in fields)} | declared
    found |= {f"{name}__{operator}" for name in set(found) for operator in OPERATORS.split()}
    for field in fields:
        others = field.related_model._meta.get_fields() if field.related_model else ()
        found |= {f"{field.name}__{other.name}" for other in others}
    return sorted(found | {f(name) for name in declared for f in (str.upper, "{} ".format)})


def unknown(reply):
    """The parameters that a refusal names, each as one that there is not."""
    assert reply.status_code == 400, reply.content[:200]
    errors = reply.json()["errors"]
    assert {error["code"] for error in errors} == {"unknown"}
    return {error["attr"] for error in errors}


@pytest.mark.django_db
def test_only_declared_parameters_are_taken_and_each_is_checked(at, as_):
    client, every = as_("superuser"), names()
    assert len(every) > 3_000
    assert {"label__gt", "held_out__by", "user__password"} <= set(every)
    for name, allowed in ALLOWED.items():
        wrong = [each for each in every if each not in allowed]
        for first in range(0, len(wrong), AT_ONCE):
            part = dict.fromkeys(wrong[first : first + AT_ONCE], "1")
            assert unknown(client.get(at[name], part)) == part.keys(), name
        asked = dict.fromkeys(allowed & {"limit"}, "1") | {SECRET: "a"}
        assert unknown(client.get(at[name], asked)) == {SECRET}, name
        for parameter in allowed:
            (error,) = client.get(at[name], {parameter: "☃ nothing"}).json()["errors"]
            assert error["attr"] == parameter, name
            assert error["detail"] != "There is no such parameter.", name
    for name in ("api_runs", "api_run_steering"):
        assert unknown(client.post(f"{at[name]}?{SECRET}=a", {}, format="json")) == {SECRET}


def test_the_schema_describes_every_operation_as_it_is(at, tmp_path):
    options = {"validate": True, "fail_on_warn": True, "format": "openapi-json"}
    call_command("spectacular", file=str(tmp_path / "schema.json"), **options)
    paths = json.loads((tmp_path / "schema.json").read_text())["paths"]
    assert len(paths) == len(routes()) - 3  # but for the schema, its page, and what is not there
    operations = {
        f"{way} {path}": each for path, ways in paths.items() for way, each in ways.items()
    }
    written = {name: each["x-scope"] for name, each in operations.items() if name[:3] != "get"}
    assert written == {
        "delete /api/tokens/current/": "releases",
        "post /api/runs/": "manage",
        "post /api/runs/{public_id}/{action}/": "manage",
    }
    for name, operation in operations.items():
        assert operation["description"].startswith(operation["summary"]), name
        assert f"`{operation['x-scope']}`" in operation["description"], name
        assert (len(operation["tags"]), len(operation["summary"]) <= 80) == (1, True), name
        for status, answer in operation["responses"].items():
            in_json = answer.get("content", {}).get("application/json")
            documented = in_json is None or in_json.get("examples")
            assert documented or status not in {"200", "201", "400", "409", "410"}, (name, status)
        errors = {"400", "401", "403", "405"} | ({"404"} if "{" in name else set())
        assert not name.startswith("get") or errors <= operation["responses"].keys(), name
    assert sum("x-ndjson" in json.dumps(each) for each in operations.values()) == 11
    gets = {path: ways["get"] for path, ways in paths.items() if "get" in ways}
    for name, allowed in ALLOWED.items():
        parameters = gets[described(at[name], gets)].get("parameters", ())
        assert {each["name"] for each in parameters if each["in"] == "query"} == allowed, name


def described(address, paths):
    """The path of the schema that an address is one of; the one with the fewest parameters."""
    for path in sorted(paths, key=lambda each: each.count("{")):
        pattern = re.sub(r"\{\w+\}", "[^/]+", path.replace("{path}", ".+"))
        if re.fullmatch(pattern, address):
            return path
    raise KeyError(address)
