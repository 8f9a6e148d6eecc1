"""Requests that nobody should send: each is answered in the documented form, by 4xx.

Made-up ones at length: tests/thorough/hostile/test_rest_fuzzing.py.
"""

from urllib.parse import quote

import pytest
from django.test import Client
from rest_framework.test import APIClient

from generation.models import Corpus
from tests.annotation import cast
from tests.annotation.api import oddities
from tests.annotation.api.conftest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(db):
    return cast.person(cast.study(), role="manager")


@pytest.fixture
def client(member):
    return client_of(member.user)


def problem(reply):
    error = reply.json()
    assert error.keys() == {"type", "errors"}
    return reply.status_code, error["type"], [each["code"] for each in error["errors"]]


@pytest.mark.both_engines
def test_odd_headers_and_queries_are_answered_as_the_schema_promises(at, as_):
    client = as_("manager")
    headers = {name: oddities.HEADERS[name] for name in oddities.HEADERS.keys() - {"Authorization"}}
    odd = [({name: value}, {}) for name, values in headers.items() for value in values]
    odd += [({}, query) for query in oddities.QUERIES]
    for name in ("projects", "judgments", "annotators", "release_file", "candidates"):
        for headers, query in odd:
            reply = client.get(at[f"api_{name}"], query, headers=headers)
            assert reply.status_code in {200, 206, 304, 400, 406, 416}, (name, headers, query)
            if reply.status_code in {400, 406}:
                problem(reply)
            elif reply.streaming:
                b"".join(reply)


def test_each_kind_of_mistake_has_its_own_documented_answer(member, client):
    for token in oddities.UNKNOWN_TOKENS:
        reply = APIClient().get("/api/projects/", headers={"Authorization": token})
        assert problem(reply) == (401, "client_error", ["authentication_failed"]), token
    for path in ("", "nothing/", "pairs/7/", "projects/7/pairs/", "runs/7/approve/", "admin/"):
        in_html = client.get(f"/api/{path}", headers={"Accept": "text/html"})
        for reply in (in_html, client.post(f"/api/{path}")):
            assert problem(reply) == (404, "client_error", ["not_found"]), path
    moved = client.get("/api/projects")
    assert (moved.status_code, moved.headers["Location"]) == (301, "/api/projects/")
    for method in ("options", "trace", "put", "patch", "delete"):
        reply = getattr(client, method)("/api/projects/")
        assert problem(reply) == (405, "client_error", ["method_not_allowed"]), method
        assert "GET" in reply.headers["Allow"]
    for accepted in ("text/html", "application/xml", "image/*"):
        reply = client.get("/api/projects/", headers={"Accept": accepted})
        assert problem(reply) == (406, "client_error", ["not_acceptable"]), accepted
    for kind in oddities.KINDS:
        reply = client.generic("POST", "/api/runs/", b"--x\r\nnothing", content_type=kind)
        in_json = kind.startswith("application/json")
        assert problem(reply)[0] in ({400, 415} if in_json or not kind else {415}), kind
    many = "&".join(f"a{n}=1" for n in range(1100))
    for query in (many, "%ff=%fe", "limit=%F0%9F%A6%8A", "=", "&&=&"):
        reply = client.get(f"/api/projects/?{query}")
        assert problem(reply)[:2] == (400, "validation_error"), query
    assert client.get("/api/projects/?&&").status_code == 200
    session = Client(enforce_csrf_checks=True)
    session.force_login(member.user)
    kind = f"multipart/form-data; boundary={'x' * 300}"  # read for the token of the form
    reply = session.generic("POST", "/api/runs/", b"nothing", content_type=kind)
    assert reply.status_code in {400, 403}
    assert reply.json()["errors"]


def test_a_corpus_is_found_by_any_name_and_only_in_its_own_studies(member, client):
    Corpus.objects.update(name="Others")
    cast.pairs(member.project, 1)
    corpus = member.project.runs.get().corpus
    stranger = client_of(cast.person(cast.study(), role="manager").user)
    for name in ("Rivers", "a/b", "Ärger & Co. 100 %", "..", "日本語?x=1#y"):
        corpus.name = name
        corpus.save()
        address = f"/api/corpora/{quote(name, safe='')}/"
        reply = client.get(address)
        assert reply.status_code == 200, name
        assert (reply.json()["name"], reply.json()["runs"]) == (name, 1)
        assert stranger.get(address).status_code == 404
