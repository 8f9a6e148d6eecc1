"""Who may ask what: every role, every route, every method, against one declared table.

What the table does not say must be refused, and a route that it does not know fails.
"""

from dataclasses import dataclass

import pytest
from rest_framework.permissions import SAFE_METHODS
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import AccessToken, User
from accounts.scopes import Scope, WithinScope
from tests.annotation.api.routes import METHODS, NOWHERE, addresses, routes
from tests.annotation.filled import Filled, filled, person

ROLES = ("anonymous", "stranger", "annotator", "researcher", "manager", "superuser")


@dataclass(frozen=True, slots=True)
class Rule:
    """The statuses of one method for whoever is signed in, and the scope that a token needs."""

    stranger: int
    annotator: int
    researcher: int
    manager: int
    scope: Scope

    def of(self, role: str) -> int:
        """An administrator may do what a manager may."""
        return int(getattr(self, "manager" if role == "superuser" else role))


LIST = Rule(200, 200, 200, 200, Scope.READ)  # of what one may read, be it nothing
READ = Rule(404, 404, 200, 200, Scope.READ)
RELEASES = Rule(404, 404, 200, 200, Scope.RELEASES)
MANAGED = Rule(404, 404, 403, 200, Scope.READ)

READABLE = {
    "api_projects": LIST,
    "api_project": READ,
    "api_pairs": READ,
    "api_judgments": READ,
    "api_corrections": READ,
    "api_agreement": READ,
    "api_annotators": MANAGED,
    "api_guests": READ,
    "api_project_releases": RELEASES,
    "api_pair": READ,
    "api_guest": READ,
    "api_releases": Rule(200, 200, 200, 200, Scope.RELEASES),
    "api_release": RELEASES,
    "api_release_archive": RELEASES,
    "api_release_checksums": RELEASES,
    "api_release_file": RELEASES,
    "api_corpora": LIST,
    "api_corpus": READ,
    "api_runs": LIST,
    "api_run": READ,
    "api_candidates": READ,
}
TABLE = {
    **{(name, "get"): rule for name, rule in READABLE.items()},
    **{(name, "head"): rule for name, rule in READABLE.items()},
    # What is sent is not acted upon: settings that there are not, and an action out of place.
    ("api_runs", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_run_steering", "post"): Rule(404, 404, 403, 409, Scope.MANAGE),
}
# Answered by no rule of the table: tested one by one below.
APART = {"api_token", "api_schema", "api_docs", NOWHERE}
DECLARED = {name for name, _ in TABLE} | APART
KEYS = [(name, method) for name in sorted(DECLARED - APART) for method in METHODS]


@pytest.fixture
def study(db: None, settings, tmp_path) -> Filled:
    settings.RELEASES_DIR = tmp_path / "releases"
    return filled()


def body(study: Filled, name: str) -> dict[str, object]:
    if name != "api_runs":
        return {}
    return {
        "project": str(study.project.public_id),
        "corpora": ["Tests"],
        "method": "word_swap",
        "settings": {"nonsense": 1},
    }


def ask(client: APIClient, method: str, address: str, sent: dict[str, object]) -> int:
    reply = getattr(client, method)(address, sent if method == "post" else None, format="json")
    if reply.streaming:
        b"".join(reply)
    return int(reply.status_code)


def answers(study: Filled, client: APIClient) -> dict[tuple[str, str], int]:
    """The status of every method of every route, but for those that are told apart."""
    return {
        (name, method): ask(client, method, address, body(study, name))
        for name, address in addresses(study).items()
        for method in METHODS
        if name not in APART
    }


def client_of(user: User | None) -> APIClient:
    """Somebody's browser."""
    client = APIClient()
    if user is not None:
        client.force_login(user)
    return client


def program_of(user: User, scope: str) -> APIClient:
    """A program with a new token of somebody."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {tokens.create(user=user, scope=scope)}")
    return client


def test_every_route_is_declared_and_every_declared_route_is_there():
    assert {route.name for route in routes()} == DECLARED


def test_every_route_has_an_address_to_be_asked_by(study):
    assert addresses(study).keys() == DECLARED


def test_every_view_declares_what_it_asks_of_tokens():
    views = [route.view for route in routes() if route.name not in {"api_docs", "api_schema"}]
    undeclared = {
        view
        for view in views
        if view.__name__ != "Nowhere"
        and (getattr(view, "scope", None) is None or WithinScope not in view.permission_classes)
    }

    assert undeclared == set()


@pytest.mark.parametrize("role", ROLES)
def test_a_person_may_do_what_is_declared_and_nothing_else(study, role):
    client = client_of(person(role, study.project))

    assert answers(study, client) == {key: declared(key, role) for key in KEYS}


def declared(key, role):
    """401 for whoever is not known; 405 for a method that is not declared.

    What is for managers alone is closed to others whatever the method.
    """
    if role == "anonymous":
        return 401
    if key in TABLE:
        return TABLE[key].of(role)
    rule = READABLE.get(key[0])
    return 405 if rule is not MANAGED or rule.of(role) == 200 else rule.of(role)


@pytest.mark.parametrize("scope", Scope)
def test_a_token_may_do_what_its_scope_says_and_its_person_may(study, scope):
    client = program_of(person("manager", study.project), scope)

    assert answers(study, client) == {key: of_token(key, scope) for key in KEYS}


def of_token(key, held):
    """403 for what is beyond the scope; else what the manager is answered."""
    asked = TABLE[key].scope if key in TABLE else _undeclared(*key)
    breadth = list(Scope)
    return 403 if breadth.index(held) < breadth.index(asked) else declared(key, "manager")


def _undeclared(name, method):
    """Writing asks for all; a method that only looks, for what the route is read with."""
    is_read = method.upper() in SAFE_METHODS and name in READABLE
    return READABLE[name].scope if is_read else Scope.MANAGE


def test_a_session_has_no_token_to_revoke(study):
    for role in ROLES:
        client = client_of(person(role, study.project))
        asked = {method: ask(client, method, "/api/tokens/current/", {}) for method in METHODS}
        assert asked == dict.fromkeys(METHODS, 401), role


def test_every_token_revokes_itself_and_nothing_else(study):
    user = person("manager", study.project)
    for scope in Scope:
        clients = {method: program_of(user, scope) for method in METHODS}
        asked = {
            method: ask(client, method, "/api/tokens/current/", {})
            for method, client in clients.items()
        }
        assert asked == dict.fromkeys(METHODS, 405) | {"delete": 204}

    assert AccessToken.objects.count() == len(Scope) * (len(METHODS) - 1)


def test_the_schema_is_for_whoever_is_known(study):
    stranger = person("stranger", study.project)
    opened = dict.fromkeys(METHODS, 405) | {"get": 200, "head": 200}

    for client, expected in (
        (client_of(None), dict.fromkeys(METHODS, 401)),
        (client_of(stranger), opened),
        (program_of(stranger, Scope.RELEASES), opened),
    ):
        assert {each: ask(client, each, "/api/schema/", {}) for each in METHODS} == expected


def test_the_page_of_the_schema_is_for_sessions(study):
    stranger = person("stranger", study.project)
    opened = dict.fromkeys(METHODS, 405) | {"get": 200, "head": 200}

    for client, expected in (
        (client_of(None), dict.fromkeys(METHODS, 302)),
        (client_of(stranger), opened),
        (program_of(stranger, Scope.MANAGE), dict.fromkeys(METHODS, 302)),
    ):
        assert {each: ask(client, each, "/api/docs/", {}) for each in METHODS} == expected


def test_where_there_is_nothing_there_is_nothing_for_anybody(study):
    for role in ROLES:
        client = client_of(person(role, study.project))
        asked = {method: ask(client, method, "/api/nothing/like/this/", {}) for method in METHODS}
        assert asked == dict.fromkeys(METHODS, 401 if role == "anonymous" else 404), role
