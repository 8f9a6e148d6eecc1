"""Projects that a program creates, sets up, opens, closes and archives."""

import pytest

from accounts.models import User
from annotation.models import Project
from annotation.projects import settings
from annotation.projects.protocols import PRESETS
from annotation.projects.services import projects
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db

OWN = {
    "labels": [{"value": 1, "name": "Alike"}, {"value": 2, "name": "Unrelated"}],
    "level": "ordinal",
    "rule": "side",
    "border": 2,
}


@pytest.fixture
def creator():
    return User.objects.create_user("ada", may_create_projects=True)


@pytest.fixture
def client(creator):
    return client_of(creator)


@pytest.fixture
def project(creator):
    return projects.create("Rivers", managers=[creator])


def post(client, **values):
    reply = client.post("/api/projects/", values, format="json")
    return reply.status_code, reply.json()


def patch(client, project, **values):
    address = f"/api/projects/{project.public_id}/settings/"
    reply = client.patch(address, values, format="json")
    return reply.status_code, reply.json()


def refused(answer):
    status, body = answer
    assert status == 400, body
    return [error["attr"] for error in body["errors"]]


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "empty"])
def test_a_project_has_the_settings_of_its_preset(client, preset):
    status, body = post(client, name="Rivers", preset=preset)
    project = Project.objects.get(public_id=body["id"])
    expected = PRESETS[preset].settings
    assert status == 201
    assert {name: getattr(project, name) for name in expected} == expected
    assert project.memberships.get().role == "manager"


def test_settings_that_are_sent_replace_those_of_the_preset(client):
    sent = {"judgments_per_pair": 3, "consensus_min_votes": 2, "gold_every": 20, "seed": 7}
    _status, body = post(client, name="Rivers", preset="nli", limits={"judge": 50}, **sent)
    project = Project.objects.get(public_id=body["id"])
    assert {name: getattr(project, name) for name in sent} == sent
    assert project.limits == {"judge": 50}
    assert project.question == PRESETS["nli"].question


def test_labels_of_ones_own_come_without_what_the_preset_says_of_others(client):
    looks = {"2": {"criterion": "Nothing in common.", "key": "n"}}
    _status, body = post(client, name="Own", preset="nli", scheme=OWN, label_looks=looks)
    project = Project.objects.get(public_id=body["id"])
    assert [label.name for label in project.scheme.labels] == ["Alike", "Unrelated"]
    assert (project.question, project.label_looks) == ("", looks)
    assert refused(post(client, name="None", preset="empty")) == ["scheme"]


def test_creating_again_finds_the_same_project(client, creator):
    first = post(client, name="Rivers", judgments_per_pair=3, consensus_min_votes=2)
    again = post(client, name="Rivers", judgments_per_pair=3, consensus_min_votes=2)
    assert (first[0], again[0], again[1]["id"]) == (201, 200, first[1]["id"])
    assert refused(post(client, name="Rivers", judgments_per_pair=5)) == ["name"]
    other = client_of(User.objects.create_user("bo", may_create_projects=True))
    sent = {"name": "Rivers", "judgments_per_pair": 3, "consensus_min_votes": 2}
    assert refused(post(other, **sent)) == ["name"]


def test_only_who_may_create_projects_does():
    assert post(client_of(User.objects.create_user("bo")), name="Rivers")[0] == 403


WRONG = [
    ({"nonsense": 1}, "nonsense"),
    ({"judgments_per_pair": 3, "consensus_min_votes": 4}, "consensus_min_votes"),
    ({"judgments_per_pair": 0}, "judgments_per_pair"),
    ({"limits": {"paint": 3}}, "limits.paint"),
    ({"limits": {"judge": 0}}, "limits.judge"),
    ({"label_looks": {"7": {"criterion": "None."}}}, "label_looks.7.criterion"),
    ({"label_looks": {"0": {"example": "One line"}}}, "label_looks.0.example"),
    ({"label_looks": {"0": {"key": "x"}, "1": {"key": "x"}}}, "label_looks.1.key"),
    ({"reason_labels": [5]}, "reason_labels"),
    ({"asks_qualification": True}, "asks_qualification"),
    ({"scheme": OWN | {"border": 9}}, "scheme.labels"),
    ({"scheme": OWN | {"ruler": 9}}, "scheme.ruler"),
    ({"scheme": OWN | {"level": "high"}}, "scheme.level"),
    ({"corrected_methods": ["magic"]}, "corrected_methods.0"),
]


@pytest.mark.parametrize(("sent", "field"), WRONG)
def test_settings_that_pages_refuse_are_refused(client, project, sent, field):
    before = projects.stamp(project)
    assert field in refused(patch(client, project, **sent))
    project.refresh_from_db()
    assert projects.stamp(project) == before


def test_every_setting_is_read_as_it_can_be_sent(client, project):
    body = client.get(f"/api/projects/{project.public_id}/settings/").json()
    assert [*body] == list(settings.SETTINGS)
    before = projects.stamp(project)
    assert patch(client, project, **body) == (200, body)
    project.refresh_from_db()
    assert projects.stamp(project) == before


def test_a_change_leaves_other_settings_as_they_are(client, project):
    values = {
        "limits": {"judge": 5, "correct": 2},
        "description": "On rivers.",
        "guidelines": " # A\n",
    }
    projects.change(project, values, by=project.memberships.get().user)
    assert patch(client, project, limits={"judge": 9}, reasons="optional")[0] == 200
    project.refresh_from_db()
    assert (project.limits, project.reasons) == ({"judge": 9}, "optional")
    assert (project.description, project.guidelines) == ("On rivers.", " # A\n")


def test_labels_without_votes_need_no_numbers_of_votes(client, project):
    assert patch(client, project, scheme=OWN | {"rule": "none"})[0] == 200
    project.refresh_from_db()
    assert project.consensus_min_votes == 1


def test_the_protocol_is_locked_once_there_are_pairs(client, project):
    make.pairs(project, 1)
    assert refused(patch(client, project, judgments_per_pair=3)) == ["judgments_per_pair"]
    assert patch(client, project, judgments_per_pair=5, contact="ada@example.org")[0] == 200


def test_a_project_is_closed_archived_restored_and_opened(client, project):
    def step(name):
        reply = client.post(f"/api/projects/{project.public_id}/{name}/")
        body = reply.json()
        return reply.status_code, body.get("is_open"), body.get("archived_at") is not None

    assert step("close") == step("close") == (200, False, False)
    assert step("open") == step("open") == (200, True, False)
    assert step("archive") == step("archive") == (200, False, True)
    assert step("open")[0] == 403
    assert patch(client, project, contact="Ada")[0] == 403
    assert step("restore") == step("restore") == (200, False, False)
    assert step("explode")[0] == 404
