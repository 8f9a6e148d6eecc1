"""How REST is asked: for lists as lines, and in ways that nobody should ask; each of these is
answered in the documented form, by 4xx. (Made-up ones: tests/thorough/hostile/.)"""

import json
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from generation.api import paging
from generation.models import Corpus
from tests.annotation import cast
from tests.annotation.api import oddities
from tests.annotation.api.conftest import client_of

pytestmark = pytest.mark.django_db

LINES = "application/x-ndjson"
LISTS = "pairs judgments corrections guests guest project_releases projects releases corpora runs"


@pytest.fixture
def pages_of_two(monkeypatch):
    """A whole list is read two rows at a time."""
    monkeypatch.setattr(paging, "MOST_ROWS", 2)


def lines(client, address, **query):
    reply = client.get(address, query, headers={"Accept": LINES})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, LINES)
    text = b"".join(reply.streaming_content).decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_every_list_can_be_read_as_lines_of_the_same_rows(at, as_, reader, pages_of_two):
    for name in (*LISTS.split(), "candidates"):
        rows = reader.get(at[f"api_{name}"]).json()["results"]
        assert rows, name
        assert lines(reader, at[f"api_{name}"]) == rows, name
    assert lines(as_("stranger"), at["api_projects"]) == []
    address = at["api_judgments"]
    rows = lines(reader, address)
    assert len(rows) == 5
    assert lines(reader, address, label=1) == [row for row in rows if row["label"] == 1]
    assert lines(reader, address, limit=3) == rows[:3]
    assert lines(reader, address, after=f"{rows[0]['pair']}.{rows[0]['slot']}") == rows[1:]


def test_errors_and_what_is_no_list_come_as_json(at, as_, reader):
    for client, name, query, status in (
        *((reader, "judgments", {each: "x"}, 400) for each in ("limit", "after", "labl", "label")),
        (as_("annotator"), "pairs", {}, 404),
        (reader, "project", {}, 406),
    ):
        reply = client.get(at[f"api_{name}"], query, headers={"Accept": LINES})
        assert (reply.status_code, reply.headers["Content-Type"]) == (status, "application/json")
        assert reply.json()["errors"]
    assert reader.post(at["api_runs"], {}, headers={"Accept": LINES}).status_code == 406


@pytest.mark.both_engines
def test_lines_are_read_page_by_page_while_answers_come_in(study, at, reader, pages_of_two):
    accepted = {"headers": {"Accept": LINES}}
    with CaptureQueriesContext(connection) as head:
        reader.head(at["api_judgments"], **accepted)
    with CaptureQueriesContext(connection) as whole:
        lines(reader, at["api_judgments"])
    assert len(head) < len(whole)
    reply = reader.get(at["api_judgments"], **accepted)
    pages = iter(reply.streaming_content)
    read = [next(pages)]
    cast.judge_all(cast.person(study.project), 1)
    rows = [json.loads(line) for line in b"".join([*read, *pages]).splitlines()]
    assert len(rows) == len({(row["pair"], row["slot"]) for row in rows}) == 6


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


def test_each_kind_of_mistake_has_its_own_documented_answer():
    member = cast.person(cast.study(), role="manager")
    client = client_of(member.user)
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


def test_a_corpus_is_found_by_any_name_and_only_in_its_own_studies():
    member = cast.person(cast.study(), role="manager")
    client = client_of(member.user)
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
