"""Requests that nobody should send: each is answered in the documented form, by 4xx."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from annotation.models import Membership, Project
from tests.annotation import cast
from tests.annotation.api.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(db: None) -> Membership:
    return cast.person(cast.study(), role=Membership.Role.MANAGER)


@pytest.fixture
def manager(member: Membership) -> APIClient:
    return client_of(member.user)


@pytest.fixture
def session(member: Membership) -> Client:
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(member.user)
    return client


def codes(reply: Any) -> tuple[int, str, list[str]]:
    told = reply.json()
    assert set(told) == {"type", "errors"}
    return reply.status_code, told["type"], [error["code"] for error in told["errors"]]


@pytest.mark.parametrize(
    "path", ["", "nothing/", "pairs/7/", "projects/7/pairs/", "runs/7/approve/", "admin/users/"]
)
def test_an_address_that_there_is_not_is_told_like_any_error(path: str, manager: APIClient) -> None:
    assert codes(manager.get(f"/api/{path}")) == (404, "client_error", ["not_found"])
    assert codes(manager.post(f"/api/{path}")) == (404, "client_error", ["not_found"])


def test_what_there_is_not_is_not_there_in_any_form(manager: APIClient) -> None:
    reply = manager.get("/api/nothing/", headers={"Accept": "text/html"})

    assert codes(reply) == (404, "client_error", ["not_found"])


def test_an_address_without_its_slash_leads_to_the_one_with_it(manager: APIClient) -> None:
    reply = manager.get("/api/projects")

    assert (reply.status_code, reply.headers["Location"]) == (301, "/api/projects/")


def test_who_is_not_signed_in_learns_of_no_address() -> None:
    assert codes(client_of(None).get("/api/nothing/"))[0] == 401


@pytest.mark.parametrize("method", ["options", "trace", "put", "patch", "delete"])
def test_other_methods_are_not_allowed(method: str, manager: APIClient) -> None:
    reply = getattr(manager, method)("/api/projects/")

    assert codes(reply) == (405, "client_error", ["method_not_allowed"])
    assert "GET" in reply.headers["Allow"]


def test_a_head_tells_what_a_get_would(manager: APIClient) -> None:
    reply = manager.head("/api/projects/")

    assert (reply.status_code, reply.headers["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("accepted", ["text/html", "application/xml", "image/*"])
def test_lists_come_as_json_alone(accepted: str, manager: APIClient) -> None:
    reply = manager.get("/api/projects/", headers={"Accept": accepted})

    assert codes(reply) == (406, "client_error", ["not_acceptable"])


@pytest.mark.parametrize("sent", ["text/csv", "multipart/form-data; boundary=x", "a/b; charset=x"])
def test_runs_are_started_by_json_alone(sent: str, manager: APIClient) -> None:
    reply = manager.generic("POST", "/api/runs/", b"--x\r\nnothing", content_type=sent)

    assert codes(reply) == (415, "client_error", ["unsupported_media_type"])


def test_a_form_that_is_broken_is_badly_asked(session: Client) -> None:
    kind = "multipart/form-data; boundary=" + "x" * 300
    reply = session.generic("POST", "/api/runs/", b"nothing", content_type=kind)

    assert reply.status_code in (400, 403)
    assert reply.json()["errors"]


@pytest.mark.parametrize(
    "query",
    ["&".join(f"a{n}=1" for n in range(1100)), "%ff=%fe", "limit=%F0%9F%A6%8A", "=", "&&=&"],
)
def test_parameters_that_make_no_sense_are_refused(query: str, session: Client) -> None:
    reply = session.get(f"/api/projects/?{query}")

    assert codes(reply)[:2] == (400, "validation_error")


def test_no_parameter_at_all_is_no_fault(session: Client) -> None:
    assert session.get("/api/projects/?&&").status_code == 200


@pytest.mark.parametrize("given", ["Token", "Token a b", "Token \xff", "Token " + "0" * 64])
def test_a_token_that_there_is_not_is_refused(given: str) -> None:
    reply = APIClient().get("/api/projects/", headers={"Authorization": given})

    assert codes(reply) == (401, "client_error", ["authentication_failed"])


@pytest.fixture
def corpus_named(member: Membership) -> Callable[[str], None]:
    def rename(name: str) -> None:
        cast.pairs(member.project, 1)
        corpus = member.project.runs.get().corpus
        corpus.name = name
        corpus.save()

    return rename


@pytest.mark.parametrize("name", ["Rivers", "a/b", "Ärger & Co. 100 %", "..", "日本語?x=1#y"])
def test_a_corpus_is_found_by_whatever_name(
    name: str, corpus_named: Callable[[str], None], manager: APIClient
) -> None:
    corpus_named(name)

    reply = manager.get(f"/api/corpora/{quote(name, safe='')}/")

    assert reply.status_code == 200
    assert (reply.json()["name"], reply.json()["runs"]) == (name, 1)


def test_nobody_reads_the_corpus_of_another_study(
    corpus_named: Callable[[str], None], member: Membership
) -> None:
    corpus_named("Rivers")
    other: Project = cast.study()
    stranger: User = cast.person(other, role=Membership.Role.MANAGER).user

    assert client_of(stranger).get("/api/corpora/Rivers/").status_code == 404
