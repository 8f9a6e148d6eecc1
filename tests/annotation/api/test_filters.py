"""Parameters of REST: those that are declared, and no field of any model, by no operator."""

import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db.models import Model
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from accounts.models import User
from tests.annotation.api.routes import NOWHERE, addresses
from tests.annotation.filled import Filled, filled

# What is refused gets to no database; what is declared is tried with the lists, on both engines.

PAGE = {"after", "limit"}
PERIOD = {"submitted_from", "submitted_before"}
# Whatever else a request names is refused: a parameter that is new has to be declared here.
ALLOWED = {
    "api_projects": PAGE,
    "api_project": set(),
    "api_pairs": PAGE
    | {"method", "decided", "kept", "label", "rounds", "adjudicated"}
    | {"decided_from", "decided_before"},
    "api_judgments": PAGE | PERIOD | {"label", "method", "held_out", "superseded", "simulated"},
    "api_corrections": PAGE | PERIOD | {"action", "method", "simulated"},
    "api_agreement": set(),
    "api_annotators": set(),
    "api_guests": PAGE,
    "api_project_releases": PAGE | {"state"},
    "api_pair": set(),
    "api_guest": PAGE | {"label"},
    "api_releases": PAGE | {"state"},
    "api_release": set(),
    "api_release_archive": set(),
    "api_release_checksums": set(),
    "api_release_file": set(),
    "api_corpora": PAGE,
    "api_corpus": set(),
    "api_runs": PAGE,
    "api_run": set(),
    "api_candidates": PAGE,
}
# Described to whoever is signed in; there are no rows behind them.
WITHOUT_ROWS = {"api_schema", "api_docs", "api_token", "api_run_steering", NOWHERE}

OPERATORS = (
    "",
    "__startswith",
    "__exact",
    "__iexact",
    "__contains",
    "__regex",
    "__gt",
    "__lte",
    "__in",
    "__range",
    "__isnull",
    "__date__year",
    "__in_bulk",
)
# What frameworks and their habits know.
HABITS = (
    "ordering",
    "sort",
    "search",
    "q",
    "fields",
    "expand",
    "page",
    "offset",
    "cursor",
    "format",
)
SECRETS = (
    "annotator__password__startswith",
    "judgments__annotator__password__regex",
    "project__pseudonym_key__key__startswith",
    "project__memberships__user__email__contains",
    "project__memberships__user__auth_token_set__digest__startswith",
    "examples__release__pseudonyms__name",
    "invitations__digest__startswith",
    "pk",
    "id__in",
    "_connector",
    "_negated",
    "*",
)
# Django reads no more parameters than 1,000 of a request.
AT_ONCE = 900


@pytest.fixture
def study(db: None, settings, tmp_path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    return filled()


@pytest.fixture
def at(study: Filled) -> dict[str, str]:
    """Where each endpoint is."""
    return addresses(study)


@pytest.fixture
def client(study: Filled) -> APIClient:
    """An administrator, from whom nothing is kept."""
    client = APIClient()
    client.force_authenticate(User.objects.create_superuser("root"))
    return client


def columns(model: type[Model]) -> list[str]:
    """The names by which the ORM reaches from a model, onwards and back."""
    return [field.name for field in model._meta.get_fields()]


def ours() -> list[type[Model]]:
    labels = ("accounts", "annotation", "generation")
    return [model for label in labels for model in apps.get_app_config(label).get_models()]


def fields() -> set[str]:
    """Every field of every model, and every relation to one."""
    return {name for model in ours() for name in columns(model)}


def behind_relations() -> set[str]:
    """Every field of a model as it is reached from every other that knows it."""
    related = [
        (field.name, field.related_model)
        for model in ours()
        for field in model._meta.get_fields()
        if field.is_relation and field.related_model is not None
    ]
    return {f"{relation}__{name}" for relation, model in related for name in columns(model)}


def names() -> list[str]:
    declared = set().union(*ALLOWED.values())
    found = {f"{name}{operator}" for name in fields() | declared for operator in OPERATORS}
    found |= {f"{path}{operator}" for path in behind_relations() for operator in OPERATORS[:2]}
    spelt = {each for name in declared for each in (name.upper(), f"{name} ", f"{name}[]")}
    return sorted({*found, *spelt, *HABITS, *SECRETS})


def in_parts(all_: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(all_), AT_ONCE):
        yield all_[first : first + AT_ONCE]


def unknown(reply) -> set[str]:
    """The parameters that a refusal names, each as what there is not."""
    assert reply.status_code == 400, reply.content[:200]
    errors = reply.json()["errors"]
    assert {error["code"] for error in errors} == {"unknown"}
    return {error["attr"] for error in errors}


def test_every_endpoint_is_declared(at):
    assert at.keys() == ALLOWED.keys() | WITHOUT_ROWS


def test_there_is_much_to_refuse():
    found = names()

    assert len(found) > 4_000
    assert {"annotator__password__startswith", "label__gt", "held_out__by"} <= set(found)


def test_whatever_is_not_declared_is_refused_by_its_name(at, client):
    every = names()
    for name, allowed in ALLOWED.items():
        for part in in_parts([each for each in every if each not in allowed]):
            assert unknown(client.get(at[name], dict.fromkeys(part, "1"))) == set(part), name


def test_one_wrong_name_among_right_ones_is_enough(at, client):
    for name, allowed in ALLOWED.items():
        asked = dict.fromkeys(allowed & {"limit"}, "1") | {SECRETS[0]: "a"}
        assert unknown(client.get(at[name], asked)) == {SECRETS[0]}, name


def test_every_declared_parameter_is_known_and_checked(at, client):
    for name, allowed in ALLOWED.items():
        for parameter in allowed:
            reply = client.get(at[name], {parameter: "☃ nothing"})
            (error,) = reply.json()["errors"]
            assert (reply.status_code, error["attr"]) == (400, parameter), name
            assert error["detail"] != "There is no such parameter.", name


def test_what_is_written_takes_no_parameters(at, client):
    for name in ("api_runs", "api_run_steering"):
        reply = client.post(f"{at[name]}?{SECRETS[0]}=a", {}, format="json")
        assert unknown(reply) == {SECRETS[0]}


def test_the_schema_tells_the_same_parameters(at):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    told = {
        path: {each["name"] for each in reading.get("parameters", ()) if each["in"] == "query"}
        for path, operations in schema["paths"].items()
        if (reading := operations.get("get"))
    }

    assert {name: told[described(at[name], told)] for name in ALLOWED} == ALLOWED


def described(address: str, paths) -> str:
    """The path of the schema that an address is one of; the one with the fewest parameters."""
    for path in sorted(paths, key=lambda each: each.count("{")):
        pattern = re.sub(r"\{\w+\}", "[^/]+", path.replace("{path}", ".+"))
        if re.fullmatch(pattern, address):
            return path
    raise KeyError(address)
