"""Who reads what: managers and researchers their projects, administrators all, others nothing."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import User
from annotation.models import Membership
from annotation.services import projects
from tests.annotation import cast
from tests.annotation.api.conftest import As, client_of
from tests.annotation.filled import Filled

EMPTY = {"next": None, "results": []}
LISTS = ["projects", "corpora", "runs", "releases"]
FOR_MANAGERS = {"annotators"}


def content(response: Any) -> bytes:
    return b"".join(response) if response.streaming else response.content


def statuses(client: APIClient, addresses: dict[str, str]) -> dict[str, int]:
    return {name: client.get(address).status_code for name, address in addresses.items()}


def lists(client: APIClient, addresses: dict[str, str]) -> dict[str, Any]:
    return {name: client.get(addresses[name]).json() for name in LISTS}


def test_whoever_is_not_signed_in_is_asked_who_they_are(addresses: dict[str, str], as_: As) -> None:
    client = as_("anonymous")

    assert set(statuses(client, addresses).values()) == {401}
    assert client.get(addresses["project"]).headers["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("role", ["stranger", "annotator"])
def test_for_whoever_may_not_read_there_is_nothing(
    role: str, addresses: dict[str, str], as_: As
) -> None:
    client = as_(role)

    assert lists(client, addresses) == dict.fromkeys(LISTS, EMPTY)
    rows = {name: address for name, address in addresses.items() if name not in LISTS}
    assert statuses(client, rows) == dict.fromkeys(rows, 404)


@pytest.mark.parametrize("role", ["researcher", "manager", "superuser"])
def test_readers_read(role: str, addresses: dict[str, str], as_: As) -> None:
    client = as_(role)

    refused = FOR_MANAGERS if role == "researcher" else set()
    expected = {name: 403 if name in refused else 200 for name in addresses}
    assert statuses(client, addresses) == expected
    assert all(found != EMPTY for found in lists(client, addresses).values())


def test_a_manager_of_another_project_reads_nothing_of_this_one(addresses: dict[str, str]) -> None:
    other = cast.person(cast.study(), role=Membership.Role.MANAGER)
    client = client_of(other.user)

    found = lists(client, addresses)
    assert [row["name"] for row in found.pop("projects")["results"]] == [other.project.name]
    assert found == dict.fromkeys(found, EMPTY)
    rows = {name: address for name, address in addresses.items() if name not in LISTS}
    assert statuses(client, rows) == dict.fromkeys(rows, 404)


def test_whoever_researches_one_project_and_annotates_another_reads_only_the_first(
    study: Filled,
) -> None:
    both = cast.person(cast.study(), role=Membership.Role.RESEARCHER)
    projects.add_member(study.project, both.user)

    listed = client_of(both.user).get("/api/projects/").json()["results"]

    assert [row["name"] for row in listed] == [both.project.name]


def test_whoever_leaves_a_project_reads_it_no_more(addresses: dict[str, str], as_: As) -> None:
    client = as_("manager")
    Membership.objects.filter(role=Membership.Role.MANAGER).delete()

    assert client.get(addresses["project"]).status_code == 404


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
def test_what_is_read_is_not_written(method: str, addresses: dict[str, str], as_: As) -> None:
    client = as_("superuser")
    if method == "post":
        addresses.pop("runs")  # where runs are started

    sent = {name: getattr(client, method)(address) for name, address in addresses.items()}

    assert {name: reply.status_code for name, reply in sent.items()} == dict.fromkeys(sent, 405)


def test_people_are_named_to_managers_alone(addresses: dict[str, str], as_: As) -> None:
    client = as_("superuser")
    blind = [address for name, address in addresses.items() if name not in FOR_MANAGERS]
    told = b"".join(content(client.get(address)) for address in blind).decode()

    figures = content(client.get(addresses["annotators"])).decode()
    for user in User.objects.exclude(username="root"):
        assert user.username in figures
        assert user.username not in told
        assert str(user.public_id) not in told + figures


def test_rows_are_known_by_public_ids_alone(addresses: dict[str, str], as_: As) -> None:
    client = as_("superuser")
    replies = [client.get(addresses[name]).json() for name in addresses if name != "file"]
    told = [each for reply in replies for each in every(reply)]

    assert not [key for key, _ in told if key == "pk" or key.endswith("_id")]
    for key in ("id", "project", "run"):
        assert all(uuid.UUID(value).version == 4 for name, value in told if name == key)


def every(value: Any) -> Iterator[tuple[str, Any]]:
    """Each key of a JSON document with what stands under it."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key), part
            yield from every(part)
