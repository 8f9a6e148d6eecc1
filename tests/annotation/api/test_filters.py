"""Parameters of REST: those that are declared, and no field of any model, by no operator."""

import re

import pytest
from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

from tests.annotation.api.test_matrix import READABLE

pytestmark = pytest.mark.django_db

PAGE = {"after", "limit"}
PERIOD = {"submitted_from", "submitted_before"}
# Whatever else a request names is refused: a parameter that is new has to be declared here.
ALLOWED = {
    **{name: set() for name in READABLE},
    **{f"api_{name}": PAGE for name in ("projects", "guests", "corpora", "runs", "candidates")},
    "api_pairs": PAGE
    | {"method", "decided", "kept", "label", "rounds", "adjudicated"}
    | {"decided_from", "decided_before"},
    "api_judgments": PAGE | PERIOD | {"label", "method", "held_out", "superseded", "simulated"},
    "api_corrections": PAGE | PERIOD | {"action", "method", "simulated"},
    "api_guest": PAGE | {"label"},
    "api_project_releases": PAGE | {"state"},
    "api_releases": PAGE | {"state"},
}
COMPARED = ("", "startswith", "exact", "iexact", "contains", "regex", "gt", "lte")
OPERATORS = (*COMPARED, "in", "range", "isnull", "date__year", "in_bulk")
# What frameworks and their habits know.
HABITS = "ordering sort search q fields expand page offset cursor format pk _connector _negated *"
SECRET = "annotator__password__startswith"
DEEP = {
    SECRET,
    "project__memberships__user__auth_token_set__digest__startswith",
    "project__pseudonym_key__key__startswith",
    "examples__release__pseudonyms__name",
}
# Django reads no more parameters than 1,000 of a request.
AT_ONCE = 900


def names():
    """Every field and relation of every model, alone and as it is reached from the others, with
    operators; each declared name in other spellings; and what else has been tried elsewhere."""
    labels = ("accounts", "annotation", "generation")
    models = [model for label in labels for model in apps.get_app_config(label).get_models()]
    fields = [field for model in models for field in model._meta.get_fields()]
    declared = set().union(*ALLOWED.values())
    plain = {field.name for field in fields} | declared
    reached = {
        f"{field.name}__{behind.name}"
        for field in fields
        if field.is_relation and field.related_model is not None
        for behind in field.related_model._meta.get_fields()
    }
    asked = {(name, operator) for name in plain for operator in OPERATORS}
    asked |= {(name, operator) for name in reached for operator in OPERATORS[:2]}
    found = {"__".join(filter(None, each)) for each in asked}
    spelt = {each for name in declared for each in (name.upper(), f"{name} ", f"{name}[]")}
    return sorted(found | spelt | DEEP | set(HABITS.split()))


def unknown(reply):
    """The parameters that a refusal names, each as one that there is not."""
    assert reply.status_code == 400, reply.content[:200]
    errors = reply.json()["errors"]
    assert {error["code"] for error in errors} == {"unknown"}
    return {error["attr"] for error in errors}


def test_only_declared_parameters_are_taken_and_each_is_checked(at, as_):
    client, every = as_("superuser"), names()
    assert len(every) > 4_000
    assert {SECRET, "label__gt", "held_out__by"} <= set(every)
    for name, allowed in ALLOWED.items():
        wrong = [each for each in every if each not in allowed]
        for first in range(0, len(wrong), AT_ONCE):
            part = wrong[first : first + AT_ONCE]
            assert unknown(client.get(at[name], dict.fromkeys(part, "1"))) == set(part), name
        asked = dict.fromkeys(allowed & {"limit"}, "1") | {SECRET: "a"}
        assert unknown(client.get(at[name], asked)) == {SECRET}, name
        for parameter in allowed:
            reply = client.get(at[name], {parameter: "☃ nothing"})
            (error,) = reply.json()["errors"]
            assert (reply.status_code, error["attr"]) == (400, parameter), name
            assert error["detail"] != "There is no such parameter.", name
    for name in ("api_runs", "api_run_steering"):
        assert unknown(client.post(f"{at[name]}?{SECRET}=a", {}, format="json")) == {SECRET}


def test_the_schema_documents_the_same_parameters(at):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    documented = {
        path: {each["name"] for each in reading.get("parameters", ()) if each["in"] == "query"}
        for path, operations in schema["paths"].items()
        if (reading := operations.get("get"))
    }
    assert {name: documented[described(at[name], documented)] for name in ALLOWED} == ALLOWED


def described(address, paths):
    """The path of the schema that an address is one of; the one with the fewest parameters."""
    for path in sorted(paths, key=lambda each: each.count("{")):
        pattern = re.sub(r"\{\w+\}", "[^/]+", path.replace("{path}", ".+"))
        if re.fullmatch(pattern, address):
            return path
    raise KeyError(address)
