"""A program invites people: the link is in one reply, and it lets them in."""

import pytest
from django.urls import reverse

from annotation.models import Invitation, Role
from annotation.people.selectors import invitations
from annotation.projects.services import lifecycle
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager():
    return make.person(make.study(), role=Role.MANAGER)


@pytest.fixture
def address(manager):
    return reverse("api_invitations", args=[manager.project.public_id])


def test_an_invitation_is_created_and_its_link_is_read_once(manager, address):
    client = client_of(manager.user)
    offer = {"kinds": ["judge"], "most_people": 30, "days": 7, "note": "Course"}
    reply = client.post(address, offer, format="json")
    assert (reply.status_code, reply.headers["Cache-Control"]) == (201, "no-store")
    made, [row] = reply.json(), client.get(address).json()["results"]
    secret = made.pop("link").split("/")[-2]
    assert (row, row["state"], row["joined"]) == (made, "open", 0)
    found = invitations.find(secret)
    assert (found.kinds, found.most_people, found.role) == (["judge"], 30, Role.ANNOTATOR)


def test_those_who_can_see_votes_are_invited_to_no_work(manager, address):
    client = client_of(manager.user)
    refused = {"role": "researcher", "kinds": ["judge"]}
    for sent in (refused, {"role": "removed"}, {"days": 0}, {"peopel": 3}):
        assert client.post(address, sent, format="json").status_code == 400, sent
    assert client.post(address, {"role": "researcher"}, format="json").status_code == 201
    assert Invitation.objects.get().kinds == []


def test_nobody_is_invited_to_an_archived_project(manager, address):
    lifecycle.archive(manager.project, by=manager.user)
    client = client_of(manager.user)
    assert client.post(address, {}, format="json").status_code == 403
    assert client.get(address).status_code == 200
    assert client.get(reverse("api_projects")).json()["results"] == []


@pytest.mark.parametrize("kinds", [[], ["translate"]])
def test_annotators_are_not_invited_to_a_project_without_work_for_them(manager, address, kinds):
    reply = client_of(manager.user).post(address, {"kinds": kinds}, format="json")
    [error] = reply.json()["errors"]
    assert (reply.status_code, error["attr"]) == (400, "kinds")
    assert error["detail"].startswith("Choose work for annotators")
