"""Who reads what: managers and researchers their projects, administrators all, nobody else anything."""

import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient

from accounts.models import User
from annotation.models import Membership
from annotation.services import projects
from tests.annotation import cast
from tests.annotation.api.conftest import client_of
from tests.annotation.api.filled import Filled

As = Callable[[str], APIClient]

LISTS = ["projects", "corpora", "runs"]
ROWS = ["project", "pairs", "pair", "releases", "release", "file", "run"]
READERS = ["researcher", "manager", "superuser"]


def content(response: Any) -> bytes:
    return b"".join(response) if response.streaming else response.content


@pytest.mark.parametrize("endpoint", LISTS + ROWS)
def test_a_stranger_to_the_installation_is_asked_who_they_are(
    endpoint: str, addresses: dict[str, str], as_: As
) -> None:
    response = as_("anonymous").get(addresses[endpoint])

    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("role", ["stranger", "annotator"])
@pytest.mark.parametrize("endpoint", ROWS)
def test_for_whoever_may_not_read_there_is_nothing(
    endpoint: str, role: str, addresses: dict[str, str], as_: As
) -> None:
    assert as_(role).get(addresses[endpoint]).status_code == 404


@pytest.mark.parametrize("role", ["stranger", "annotator"])
@pytest.mark.parametrize("endpoint", LISTS)
def test_lists_of_whoever_may_not_read_are_empty(
    endpoint: str, role: str, addresses: dict[str, str], as_: As
) -> None:
    assert as_(role).get(addresses[endpoint]).json() == {"next": None, "results": []}


@pytest.mark.parametrize("role", READERS)
@pytest.mark.parametrize("endpoint", LISTS + ROWS)
def test_readers_read(endpoint: str, role: str, addresses: dict[str, str], as_: As) -> None:
    response = as_(role).get(addresses[endpoint])

    assert response.status_code == 200
    assert content(response) not in (b"", b'{"next":null,"results":[]}')


@pytest.mark.parametrize("endpoint", LISTS + ROWS)
def test_a_manager_of_another_project_reads_nothing_of_this_one(
    endpoint: str, addresses: dict[str, str]
) -> None:
    other = cast.person(cast.study(), role=Membership.Role.MANAGER)
    response: Response = client_of(other.user).get(addresses[endpoint])

    named = {"projects": other.project.name}.get(endpoint)
    if endpoint in LISTS:
        assert [row["name"] for row in response.json()["results"]] == ([named] if named else [])
    else:
        assert response.status_code == 404


def test_whoever_researches_one_project_and_annotates_another_reads_only_the_first(
    study: Filled,
) -> None:
    both = cast.person(cast.study(), role=Membership.Role.RESEARCHER)
    projects.add_member(study.project, both.user)

    listed = client_of(both.user).get("/api/projects/").json()["results"]

    assert [row["name"] for row in listed] == [both.project.name]


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("endpoint", LISTS + ROWS)
def test_nothing_is_written(
    endpoint: str, method: str, addresses: dict[str, str], as_: As
) -> None:
    assert getattr(as_("superuser"), method)(addresses[endpoint]).status_code == 405


@pytest.mark.parametrize("endpoint", LISTS + ROWS)
def test_people_are_not_named(endpoint: str, addresses: dict[str, str], as_: As) -> None:
    text = content(as_("superuser").get(addresses[endpoint])).decode()

    for user in User.objects.exclude(username="root"):
        assert user.username not in text
        assert str(user.public_id) not in text


def every(value: Any) -> Iterator[tuple[str, Any]]:
    """Each key of a JSON document with what stands under it."""
    if isinstance(value, list):
        value = dict(enumerate(value))
    if isinstance(value, dict):
        for key, part in value.items():
            yield str(key), part
            yield from every(part)


@pytest.mark.parametrize("endpoint", sorted({*LISTS, *ROWS} - {"file"}))
def test_rows_are_known_by_public_ids_alone(
    endpoint: str, addresses: dict[str, str], as_: As
) -> None:
    told = list(every(as_("superuser").get(addresses[endpoint]).json()))

    assert not [key for key, _ in told if key == "pk" or key.endswith("_id")]
    for key in ("id", "project", "run"):
        assert all(uuid.UUID(value).version == 4 for name, value in told if name == key)
