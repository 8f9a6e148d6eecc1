"""Simulated people whose work a program does."""

import pytest

from accounts.models import AuditEntry
from annotation.models import Judgment
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(db):
    return make.study()


@pytest.fixture
def play(project):
    client = client_of(make.person(project, role="manager").user)

    def post(number, kind="judge", **answer):
        address = f"/api/projects/{project.public_id}/simulated/{number}/{kind}/"
        reply = client.post(address, answer, format="json")
        return reply.status_code, reply.json()

    return post


def test_a_simulated_person_answers_and_gets_the_next_pair(project, play):
    make.pairs(project, 2)
    first = play(1)[1]["item"]
    assert first["sentences"]
    assert play(1)[1]["item"] == first
    status, body = play(1, item=first["id"], label=1, seconds=4)
    assert (status, body["answers"], body["item"]["id"] != first["id"]) == (200, 1, True)
    assert play(1, item=first["id"], label=1)[1] == body
    assert play(1, item=body["item"]["id"], label=0)[1] == {"item": None, "answers": 2}
    answers = Judgment.objects.filter(project=project, submitted_at__isnull=False)
    assert {*answers.values_list("annotator__is_simulated", "annotator__password")} == {
        (True, answers[0].annotator.password)
    }
    assert not answers[0].annotator.has_usable_password()


def test_a_correction_becomes_a_pair(project, play):
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    item = play(1, "correct")[1]["item"]
    assert item["sentences"] == ["Bo met Ada."]
    sent = {"item": item["id"], "action": "fix", "text": "Bo met Ada once."}
    assert play(1, "correct", **sent)[1] == {"item": None, "answers": 1}
    assert project.pairs.get().sentence2.text == "Bo met Ada once."


def test_requests_after_the_first_change_no_member(project, play):
    make.pairs(project, 1)
    play(1)
    entries = AuditEntry.objects.count()
    play(1)
    assert AuditEntry.objects.count() == entries


@pytest.mark.parametrize(
    ("answer", "status", "field"),
    [
        ({"label": 7}, 400, "label"),
        ({}, 400, "label"),
        ({"label": 1, "lable": 1}, 400, "lable"),
    ],
)
def test_answers_that_cannot_be_are_refused(project, play, answer, status, field):
    make.pairs(project, 1)
    item = play(1)[1]["item"]["id"]
    got, body = play(1, item=item, **answer)
    assert (got, [error["attr"] for error in body["errors"]]) == (status, [field])


def test_a_pair_of_another_person_is_not_answered(project, play):
    make.pairs(project, 1)
    item = play(1)[1]["item"]["id"]
    assert play(2, item=item, label=1)[0] == 409


@pytest.mark.parametrize(("number", "kind"), [(0, "judge"), (101, "judge"), (1, "translate")])
def test_there_is_no_other_work(play, number, kind):
    assert play(number, kind)[0] == 404
