"""Lists as lines: the rows of all pages in one answer, streamed."""

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from generation.api import paging
from tests.annotation import cast

pytestmark = pytest.mark.django_db

LINES = "application/x-ndjson"
LISTS = "pairs judgments corrections guests guest project_releases projects releases corpora runs"


@pytest.fixture(autouse=True)
def pages_of_two(monkeypatch):
    """A whole list is read two rows at a time."""
    monkeypatch.setattr(paging, "MOST_ROWS", 2)


def lines(client, address, **query):
    reply = client.get(address, query, headers={"Accept": LINES})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, LINES)
    text = b"".join(reply.streaming_content).decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


def test_every_list_can_be_read_as_lines_of_the_same_rows(at, as_, reader):
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
def test_lines_are_read_page_by_page_while_answers_come_in(study, at, reader):
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
