"""Pairs that a program excludes and includes."""

import uuid

import pytest

from annotation.models import PairExclusion
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make.study()


@pytest.fixture
def pairs(project):
    make.pairs(project, 3)
    return [str(pair.public_id) for pair in project.pairs.order_by("pk")]


@pytest.fixture
def send(project):
    client = client_of(make.person(project, role="manager").user)

    def post(step, *pairs, **values):
        address = f"/api/projects/{project.public_id}/pairs/{step}/"
        reply = client.post(address, {"pairs": pairs, **values}, format="json")
        return reply.status_code, reply.json()

    return post


def excluded(project):
    return project.pairs.exclude(excluded_by=None).count()


def test_pairs_are_excluded_and_included_again(send, project, pairs):
    why = {"reason": "offensive", "note": "An insult."}
    assert send("exclude", *pairs[:2], **why) == (200, {"changed": 2, "unchanged": 0})
    assert excluded(project) == 2
    assert send("exclude", *pairs, **why) == (200, {"changed": 1, "unchanged": 2})
    assert send("include", *pairs[1:]) == (200, {"changed": 2, "unchanged": 0})
    assert send("include", *pairs) == (200, {"changed": 1, "unchanged": 2})
    assert excluded(project) == 0
    assert {*PairExclusion.objects.values_list("reason", "note")} == {("offensive", "An insult.")}


def test_a_pair_that_is_not_there_is_named(send, project, pairs):
    stranger = str(uuid.uuid4())
    status, body = send("exclude", pairs[0], stranger, reason="offensive")
    [error] = body["errors"]
    assert (status, error["attr"], stranger in error["detail"]) == (400, "pairs.1", True)
    assert excluded(project) == 0


@pytest.mark.parametrize("why", [{}, {"reason": "other"}, {"reason": "dull"}])
def test_an_exclusion_needs_its_reason(send, project, pairs, why):
    assert send("exclude", *pairs, **why)[0] == 400
    assert excluded(project) == 0
