"""Who may ask what: every role, every route, every method, against one declared table.

What the table does not say must be refused, and a route that it does not know fails.
"""

import re
import uuid
from collections import namedtuple

import pytest
from rest_framework.permissions import SAFE_METHODS
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import User
from accounts.scopes import Scope, WithinScope, reaches
from annotation.models import Membership
from annotation.projects.services import projects
from tests.annotation import make
from tests.annotation.filled import person
from tests.annotation.rest import METHODS, NOWHERE, client_of, routes

pytestmark = pytest.mark.django_db

ROLES = ("anonymous", "stranger", "annotator", "researcher", "manager", "superuser")

# The statuses of one method for each role that is signed in, and the scope that a token needs.
Rule = namedtuple("Rule", "stranger annotator researcher manager scope")
LIST = Rule(200, 200, 200, 200, Scope.READ)  # of what one may read, be it nothing
READ = Rule(404, 404, 200, 200, Scope.READ)
RELEASES = Rule(404, 404, 200, 200, Scope.RELEASES)
MANAGED = Rule(404, 404, 403, 200, Scope.READ)
STUDY = "project pairs judgments corrections agreement models pair corpus sentences run candidates"
STUDY += " generators model_judgments examples example imports comments comparisons translations"
STUDY += " terms term questions acceptance alternative model_tasks model_task"
FILES = "project_releases release release_archive release_checksums release_file"
FILES += " release_evaluation"
READABLE = {
    **{f"api_{name}": READ for name in STUDY.split()},
    **{f"api_{name}": RELEASES for name in FILES.split()},
    **{f"api_{name}": LIST for name in ("projects", "corpora", "runs", "endpoints")},
    "api_releases": Rule(200, 200, 200, 200, Scope.RELEASES),
    "api_annotators": MANAGED,
    "api_invitations": MANAGED,
    "api_recruiting": MANAGED,
    "api_settings": MANAGED,
}
TABLE = {
    **{(name, "get"): rule for name, rule in READABLE.items()},
    **{(name, "head"): rule for name, rule in READABLE.items()},
    # What is sent is not acted upon: settings that there are not, and an action out of place.
    ("api_projects", "post"): Rule(403, 403, 403, 400, Scope.MANAGE),
    ("api_settings", "patch"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_project_steering", "post"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_project_releases", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_release", "patch"): Rule(404, 404, 403, 409, Scope.MANAGE),  # it is frozen
    ("api_release", "delete"): Rule(404, 404, 403, 409, Scope.MANAGE),
    ("api_release_steering", "post"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_runs", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_corpora", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_sentences", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_flashcards", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_gold_pairs", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_qualification", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_models", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_pairs_steering", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_simulated_work", "post"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_pairs", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_translations", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_delivery", "post"): Rule(404, 404, 403, 404, Scope.MANAGE),  # it translates nothing
    ("api_invitations", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_recruiting", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_revoke_recruitment", "post"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_run_steering", "post"): Rule(404, 404, 403, 409, Scope.MANAGE),
    ("api_model_tasks", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_model_task_steering", "post"): Rule(404, 404, 403, 409, Scope.MANAGE),  # paused
    ("api_terms", "post"): Rule(404, 404, 403, 400, Scope.MANAGE),
    ("api_term", "patch"): Rule(404, 404, 403, 200, Scope.MANAGE),
    ("api_term", "delete"): Rule(404, 404, 403, 204, Scope.MANAGE),
}
# Answered by no rule of the table: tested one by one below.
APART = {"api_schema", "api_docs", NOWHERE}
# Closed to others than managers, whatever the method.
CLOSED = {name for name, rule in READABLE.items() if rule is MANAGED}
CLOSED |= {"api_revoke_recruitment", "api_delivery", "api_project_steering", "api_simulated_work"}
CLOSED |= {"api_gold_pairs", "api_qualification", "api_pairs_steering"}
DECLARED = {name for name, _ in TABLE} | APART
KEYS = [(name, method) for name in sorted(DECLARED - APART) for method in METHODS]
LISTS = {"api_projects", "api_corpora", "api_runs", "api_releases", "api_endpoints"}


def ask(client, method, address, sent=None):
    reply = getattr(client, method)(address, sent if method == "post" else None, format="json")
    if reply.streaming:
        b"".join(reply)
    return reply.status_code


def each_method(client, address):
    return {method: ask(client, method, address, {}) for method in METHODS}


def answers(study, at, client):
    run = {"project": str(study.project.public_id), "corpora": ["Tests"], "method": "word_swap"}
    sent = {"api_runs": run | {"settings": {"nonsense": 1}}}
    sent["api_corpora"] = {"project": run["project"], "name": "Tests"}
    sent["api_invitations"] = {"days": 0}
    return {key: ask(client, key[1], at[key[0]], sent.get(key[0], {})) for key in KEYS}


def session_of(user):
    client = APIClient()
    if user is not None:
        client.force_login(user)
    return client


def program_of(user, scope):
    return APIClient(headers={"Authorization": f"Token {tokens.create(user=user, scope=scope)}"})


def test_every_route_is_declared_and_has_an_address_and_a_scope(at):
    assert routes().keys() == at.keys() == DECLARED
    for name, view in routes().items():
        if name not in {"api_docs", "api_schema", NOWHERE}:
            assert view.scope in Scope, name
            assert WithinScope in view.permission_classes, name


@pytest.mark.parametrize("role", ROLES)
def test_a_person_may_do_what_is_declared_and_nothing_else(study, at, role):
    client = session_of(person(role, study.project))
    assert answers(study, at, client) == {key: declared(key, role) for key in KEYS}


def declared(key, role):
    """401 for whoever is not known; 405 for a method that is not declared, but what is for managers
    alone is closed to others whatever the method. An administrator may do what a manager may."""
    if role == "anonymous":
        return 401
    role = "manager" if role == "superuser" else role
    if key in TABLE:
        return getattr(TABLE[key], role)
    return getattr(MANAGED, role) if key[0] in CLOSED and role != "manager" else 405


@pytest.mark.parametrize("scope", Scope)
def test_a_token_may_do_what_its_scope_says_and_its_person_may(study, at, scope):
    client = program_of(person("manager", study.project), scope)
    assert answers(study, at, client) == {key: of_token(key, scope) for key in KEYS}


def of_token(key, held):
    """403 for what is beyond the scope; else what the manager is answered. Methods that are not
    declared ask for all, but for those that only look: they ask for what the route is read with."""
    name, method = key
    is_read = method.upper() in SAFE_METHODS and name in READABLE
    undeclared = READABLE[name].scope if is_read else Scope.MANAGE
    asked = TABLE[key].scope if key in TABLE else undeclared
    return declared(key, "manager") if reaches(held, asked) else 403


def test_unknown_addresses_are_not_found(study, at):
    for role in ROLES:
        client, status = session_of(person(role, study.project)), 404 if role in ROLES[1:] else 401
        assert each_method(client, at[NOWHERE]) == dict.fromkeys(METHODS, status), role


def test_the_schema_is_for_everyone_who_is_known_and_its_page_for_sessions(study, at):
    stranger = person("stranger", study.project)
    opened = dict.fromkeys(METHODS, 405) | {"get": 200, "head": 200}
    assert each_method(session_of(None), at["api_schema"]) == dict.fromkeys(METHODS, 401)
    assert each_method(program_of(stranger, Scope.RELEASES), at["api_schema"]) == opened
    assert ask(session_of(stranger), "get", at["api_schema"]) == 200
    assert each_method(session_of(stranger), at["api_docs"]) == opened
    for client in (session_of(None), program_of(stranger, Scope.MANAGE)):
        assert each_method(client, at["api_docs"]) == dict.fromkeys(METHODS, 302)


def test_roles_in_other_projects_and_former_roles_count_for_nothing(study, at, as_):
    assert client_of(None).get(at["api_project"]).headers["WWW-Authenticate"] == "Token"
    elsewhere = make.person(make.study(), role=Membership.Role.MANAGER)
    both = make.person(make.study(), role=Membership.Role.RESEARCHER)
    projects.add_member(study.project, both.user)
    rows = READABLE.keys() - LISTS
    for member in (elsewhere, both):
        client = client_of(member.user)
        found = {name: client.get(at[name]).json()["results"] for name in LISTS}
        assert [row["name"] for row in found.pop("api_projects")] == [member.project.name]
        assert found == {name: [] for name in found}
        assert {name: ask(client, "get", at[name]) for name in rows} == dict.fromkeys(rows, 404)
        run = {"project": str(study.project.public_id), "corpora": ["Tests"], "method": "word_swap"}
        for name in ("api_runs", "api_run_steering"):
            assert ask(client, "post", at[name], run) == 404
    client = as_("manager")
    assert ask(client, "get", at["api_project"]) == 200
    Membership.objects.filter(role=Membership.Role.MANAGER).delete()
    assert ask(client, "get", at["api_project"]) == 404


def test_people_are_named_to_managers_alone_and_rows_are_known_by_public_ids(at, as_):
    client = as_("superuser")
    replies = {name: client.get(at[name]) for name in READABLE}
    in_json = [each for each in replies.values() if "json" in each.headers["Content-Type"]]
    found = re.findall(r'"(\w+)":"?([^",]*)', "".join(each.text for each in in_json))
    # The id of a pair in a file of others is no key of ours.
    names = {key for key, _ in found} - {"published_id", "own_id"}
    assert not [name for name in names if name == "pk" or name.endswith("_id")]
    # An example names its run as the tables of the release do, by its number on the pages.
    for key in ("id", "project", "run"):
        values = {value for name, value in found if name == key and not value.isdecimal()}
        assert {uuid.UUID(value).version for value in values} == {4}
    figures = replies.pop("api_annotators").text
    others = b"".join(b"".join(reply) for reply in replies.values()).decode(errors="replace")
    for user in User.objects.exclude(username="root"):
        assert (user.username in figures, user.username in others) == (True, False)
        assert str(user.public_id) not in figures + others
