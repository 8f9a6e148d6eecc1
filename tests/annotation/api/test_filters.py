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
    "__exact",
    "__iexact",
    "__contains",
    "__startswith",
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
def client(study: Filled) -> APIClient:
    """An administrator, from whom nothing is kept."""
    client = APIClient()
    client.force_authenticate(User.objects.create_superuser("root"))
    return client


def columns(model: type[Model]) -> list[str]:
    """The names by which the ORM reaches from a model, onwards and back."""
    return [field.name for field in model._meta.get_fields()]


def paths() -> set[str]:
    """Every field of every model, alone and behind each relation to its model."""
    ours = [apps.get_app_config(label) for label in ("accounts", "annotation", "generation")]
    models = [model for config in ours for model in config.get_models()]
    found = {name for model in models for name in columns(model)}
    for model in models:
        for field in model._meta.get_fields():
            if field.is_relation and field.related_model is not None:
                found |= {f"{field.name}__{name}" for name in columns(field.related_model)}
    return found


def names() -> list[str]:
    declared = set().union(*ALLOWED.values())
    fields = {f"{path}{operator}" for path in paths() | declared for operator in OPERATORS}
    spelt = {each for name in declared for each in (name.upper(), f"{name} ", f"{name}[]")}
    return sorted({*fields, *spelt, *HABITS, *SECRETS})


def in_parts(all_: list[str]) -> Iterator[list[str]]:
    for first in range(0, len(all_), AT_ONCE):
        yield all_[first : first + AT_ONCE]


def unknown(reply) -> set[str]:
    """The parameters that a refusal names, each as what there is not."""
    assert reply.status_code == 400, reply.content[:200]
    errors = reply.json()["errors"]
    assert {error["code"] for error in errors} == {"unknown"}
    return {error["attr"] for error in errors}


def test_every_endpoint_is_declared(study):
    assert addresses(study).keys() == ALLOWED.keys() | WITHOUT_ROWS


def test_there_is_much_to_refuse():
    found = names()

    assert len(found) > 10_000
    assert {"annotator__password__startswith", "label__gt", "held_out__by"} <= set(found)


@pytest.mark.parametrize("name", ALLOWED)
def test_whatever_is_not_declared_is_refused_by_its_name(study, client, name):
    address = addresses(study)[name]
    wrong = [each for each in names() if each not in ALLOWED[name]]

    for part in in_parts(wrong):
        assert unknown(client.get(address, dict.fromkeys(part, "1"))) == set(part)


@pytest.mark.parametrize("name", ALLOWED)
def test_one_wrong_name_among_right_ones_is_enough(study, client, name):
    right = dict.fromkeys(ALLOWED[name] & {"limit"}, "1")

    asked = right | {"annotator__password__startswith": "a"}
    assert unknown(client.get(addresses(study)[name], asked)) == {"annotator__password__startswith"}


@pytest.mark.parametrize("name", ALLOWED)
def test_every_declared_parameter_is_known(study, client, name):
    """With a value that suits none of them; what is unknown would be told as that."""
    for parameter in ALLOWED[name]:
        reply = client.get(addresses(study)[name], {parameter: "\u2603 nothing"})
        codes = {(error["attr"], error["code"]) for error in reply.json()["errors"]}
        if parameter != "after":
            assert (parameter, "unknown") not in codes
        assert {attr for attr, _ in codes} == {parameter}


def test_the_schema_tells_the_same_parameters(study):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    told = {
        template: {
            each["name"]
            for each in operations["get"].get("parameters", ())
            if each["in"] == "query"
        }
        for template, operations in schema["paths"].items()
        if "get" in operations
    }

    templates = {name: template_of(address, told) for name, address in addresses(study).items()}
    assert {name: told[templates[name]] for name in ALLOWED} == ALLOWED


def template_of(address: str, templates) -> str | None:
    """The path of the schema that an address is one of."""
    for template in sorted(templates, key=lambda each: each.count("{")):
        if re.fullmatch(
            re.sub(r"\{path\}", ".+", re.sub(r"\{(?!path)\w+\}", "[^/]+", template)), address
        ):
            return template
    return None
