"""Releases that a program drafts, previews and builds."""

import pytest

from releases.models import Release
from releases.services.builds import BUILDS, PREVIEWS
from tests.annotation import judged, make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db

METADATA = {
    "licence": "CC-BY-4.0",
    "authors": [{"name": "Lovelace, Ada", "orcid": "0000-0002-1825-0097"}],
    "languages": ["en"],
    "documentation": {"purpose": "To test models.", "uses": ["To test."]},
}


@pytest.fixture
def client(project, settings, tmp_path):
    settings.RELEASES_DIR = tmp_path
    make.pairs(project, 3)
    judged.all_that_is_open(project, [1, 1, 1, 1, 1])
    return client_of(make.person(project, role="manager").user)


def draft(client, project, version="1.0", **values):
    address = f"/api/projects/{project.public_id}/releases/"
    return client.post(address, {"version": version, **values}, format="json")


def problems(reply, status):
    assert reply.status_code == status, reply.json()
    return [error["attr"] for error in reply.json()["errors"]]


def steps_of(client, reply):
    """Takes a step of the release in a reply, and returns its address and what it became."""
    address = f"/api/releases/{reply.json()['id']}/"
    return address, lambda step: client.post(f"{address}{step}/")


def test_a_release_is_drafted_previewed_and_built(client, project):
    reply = draft(client, project, settings={"dev": 0, "test": 1, "seed": 7}, metadata=METADATA)
    address, take = steps_of(client, reply)
    row = reply.json()
    assert (reply.status_code, row["state"], row["preview"]["state"]) == (201, "draft", "waiting")
    assert (row["settings"]["test"], row["settings"]["seed"]) == (1, 7)
    assert row["metadata"] == METADATA
    PREVIEWS.do_next()
    preview = client.get(address).json()["preview"]
    assert preview["state"] == "made"
    assert {part["subset"]: part["pairs"] for part in preview["content"]["parts"]}
    assert take("build").json()["state"] == "queued"
    assert take("build").json()["state"] == "queued"
    BUILDS.do_next()
    row = client.get(address).json()
    assert (row["state"], row["preview"]) == ("frozen", None)
    assert row["files"]
    assert take("build").json()["state"] == "frozen"
    assert problems(take("preview"), 409) == [None]


def test_a_draft_that_is_sent_again_is_the_same(client, project):
    first = draft(client, project, settings={"dev": 1})
    again = draft(client, project, settings={"dev": 1})
    assert (again.status_code, again.json()["id"]) == (200, first.json()["id"])
    assert problems(draft(client, project, settings={"dev": 2}), 400) == ["version"]
    assert Release.objects.filter(project=project).count() == 1


def test_a_draft_that_is_sent_again_is_the_built_release(client, project):
    reply = draft(client, project, settings={"dev": 1}, metadata=METADATA)
    _, take = steps_of(client, reply)
    take("build")
    BUILDS.do_next()
    again = draft(client, project, settings={"dev": 1}, metadata=METADATA)
    assert (again.status_code, again.json()["id"]) == (200, reply.json()["id"])
    assert again.json()["state"] == "frozen"


def test_the_next_version_begins_with_the_last(client, project):
    draft(client, project, settings={"dev": 1, "seed": 3}, metadata=METADATA)
    row = draft(client, project, "1.1", settings={"dev": 2}, metadata={"licence": "MIT"}).json()
    assert (row["settings"]["dev"], row["settings"]["seed"]) == (2, 3)
    assert row["metadata"] == METADATA | {"licence": "MIT"}


def test_a_change_of_a_draft_leaves_the_rest(client, project):
    reply = draft(client, project, settings={"dev": 1, "seed": 3}, metadata=METADATA)
    address, take = steps_of(client, reply)
    row = client.patch(address, {"settings": {"seed": 4}}, format="json").json()
    assert (row["settings"]["dev"], row["settings"]["seed"]) == (1, 4)
    assert (row["version"], row["metadata"]) == ("1.0", METADATA)
    take("build")
    assert problems(client.patch(address, {"version": "2.0"}, format="json"), 409) == [None]
    assert take("take-back").json()["state"] == "draft"
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


WRONG = [
    ({"version": "a b"}, "version"),
    ({"settings": {"dev": "many"}}, "settings.dev"),
    ({"settings": {"dev": True}}, "settings.dev"),
    ({"settings": {"dev": -1}}, None),
    ({"settings": {"paraphrase_share": 3}}, None),
    ({"settings": {"accepts_errors": True}}, None),
    ({"settings": {"sead": 3}}, "settings.sead"),
    ({"settings": {"dev": 10**9}}, "settings.dev"),
    ({"metadata": {"authors": [{}]}}, "metadata.authors.0.name"),
    ({"metadata": {"licence": "free"}}, "metadata"),
    ({"metadata": {"authors": [{"name": "Ada", "orcid": "1"}]}}, "metadata"),
    ({"metadata": {"documentation": {"purpos": "None."}}}, "metadata"),
    ({"metadata": {"homepage": "x" * 501}}, "metadata.homepage"),
]


@pytest.mark.parametrize(("sent", "field"), WRONG)
def test_drafts_that_cannot_be_are_refused(client, project, sent, field):
    assert problems(draft(client, project, **sent), 400) == [field]
    assert not Release.objects.filter(project=project).exists()


def test_a_draft_that_cannot_be_built_says_why(client, project):
    reply = draft(client, project, settings={"hard_for": "no such model"})
    address, take = steps_of(client, reply)
    PREVIEWS.do_next()
    assert client.get(address).json()["preview"]["failure"]
    assert problems(take("build"), 409) == [None]
