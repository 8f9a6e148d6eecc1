"""Lists as lines: the rows of all pages in one answer, streamed."""

import json
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from generation.api import paging
from tests.annotation import cast
from tests.annotation.api.conftest import As
from tests.annotation.filled import Filled

LINES = "application/x-ndjson"
LISTS = (
    "projects",
    "pairs",
    "judgments",
    "corrections",
    "guests",
    "guest",
    "project_releases",
    "releases",
    "corpora",
    "runs",
    "candidates",
)


@pytest.fixture
def reader(as_: As) -> APIClient:
    return as_("researcher")


@pytest.fixture
def pages_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole list is read two rows at a time."""
    monkeypatch.setattr(paging, "MOST_ROWS", 2)


def lines(client: APIClient, address: str, **query: Any) -> list[dict[str, Any]]:
    reply: Any = client.get(address, query, headers={"Accept": LINES})
    assert (reply.status_code, reply.headers["Content-Type"]) == (200, LINES)
    text = b"".join(reply.streaming_content).decode()
    assert text == "" or text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", LISTS)
def test_every_list_is_told_as_lines_of_the_same_rows(
    name: str, addresses: dict[str, str], reader: APIClient, pages_of_two: None
) -> None:
    told = reader.get(addresses[name]).json()["results"]

    assert told
    assert lines(reader, addresses[name]) == told


def test_no_row_is_an_empty_answer(study: Filled, as_: As) -> None:
    assert lines(as_("stranger"), "/api/projects/") == []


def test_filters_choose_among_lines(addresses: dict[str, str], reader: APIClient) -> None:
    found = lines(reader, addresses["judgments"], label=1)

    assert [row["label"] for row in found] == [1]


def test_lines_go_on_after_a_row_that_one_has(
    addresses: dict[str, str], reader: APIClient, pages_of_two: None
) -> None:
    address = addresses["judgments"]
    first, *others = lines(reader, address)

    assert lines(reader, address, after=f"{first['pair']}.{first['slot']}") == others


def test_a_limit_is_that_of_the_lines(
    addresses: dict[str, str], reader: APIClient, pages_of_two: None
) -> None:
    assert len(lines(reader, addresses["judgments"], limit=3)) == 3


def test_what_is_badly_asked_is_told_before_the_first_line(
    addresses: dict[str, str], reader: APIClient
) -> None:
    for query in ({"limit": "0"}, {"after": "nothing"}, {"labl": "1"}, {"label": "x"}):
        reply = reader.get(addresses["judgments"], query, headers={"Accept": LINES})

        assert (reply.status_code, reply.headers["Content-Type"]) == (400, "application/json")
        assert reply.json()["type"] == "validation_error"


def test_what_one_may_not_read_is_not_there_in_any_form(addresses: dict[str, str], as_: As) -> None:
    reply = as_("annotator").get(addresses["pairs"], headers={"Accept": LINES})

    assert (reply.status_code, reply.json()["errors"][0]["code"]) == (404, "not_found")


def test_one_row_is_no_list(addresses: dict[str, str], reader: APIClient) -> None:
    assert reader.get(addresses["project"], headers={"Accept": LINES}).status_code == 406


def test_what_is_written_is_answered_in_json_alone(addresses: dict[str, str], as_: As) -> None:
    reply = as_("manager").post("/api/runs/", {}, format="json", headers={"Accept": LINES})

    assert (reply.status_code, reply.headers["Content-Type"]) == (406, "application/json")


def test_the_head_of_lines_reads_no_more_than_a_page(
    addresses: dict[str, str], reader: APIClient, pages_of_two: None
) -> None:
    with CaptureQueriesContext(connection) as head:
        reply = reader.head(addresses["judgments"], headers={"Accept": LINES})
        b"".join(reply)
    with CaptureQueriesContext(connection) as whole:
        lines(reader, addresses["judgments"])

    assert reply.headers["Content-Type"] == LINES
    assert len(head) < len(whole)


def test_what_comes_in_while_lines_are_read_is_among_them(
    study: Filled, addresses: dict[str, str], reader: APIClient, pages_of_two: None
) -> None:
    reply: Any = reader.get(addresses["judgments"], headers={"Accept": LINES})
    pages = iter(reply.streaming_content)
    read = [next(pages)]
    cast.judge_all(cast.person(study.project), 1)

    told = [json.loads(line) for line in b"".join([*read, *pages]).splitlines()]

    assert len(told) == len({(row["pair"], row["slot"]) for row in told}) == 6
