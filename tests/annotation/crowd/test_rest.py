"""A program recruits people by a platform: the link is in one reply, and it can be revoked."""

import pytest
from django.urls import reverse

from accounts.models import AuditEntry
from annotation.crowd import selectors
from annotation.models import Project, Recruitment, Role
from annotation.projects.services import lifecycle
from tests.annotation import make
from tests.annotation.rest import client_of

pytestmark = pytest.mark.django_db
OFFER = {"platform": "prolific", "kinds": ["judge"], "most_people": 50, "completion_code": "C1"}


@pytest.fixture
def manager():
    return make.person(make.study(), role=Role.MANAGER)


@pytest.fixture
def address(manager):
    return reverse("api_recruiting", args=[manager.project.public_id])


def test_a_recruiting_link_is_created_read_once_and_revoked(manager, address):
    client = client_of(manager.user)
    reply = client.post(address, OFFER | {"reward": "4.50", "currency": "gbp"}, format="json")
    assert (reply.status_code, reply.headers["Cache-Control"]) == (201, "no-store")
    made, [row] = reply.json(), client.get(address).json()["results"]
    path, parameters = made.pop("link").split("?")
    assert (row, row["state"], row["joined"], row["currency"]) == (made, "open", 0, "GBP")
    assert parameters.startswith("PROLIFIC_PID=")
    assert selectors.find(path.split("/")[-2]).most_people == 50
    revoked = client.post(f"{address}{row['id']}/revoke/")
    assert (revoked.status_code, revoked.json()["state"]) == (200, "revoked")
    acts = AuditEntry.objects.filter(by=manager.user).order_by("pk").values_list("act", flat=True)
    assert list(acts)[-2:] == ["recruitment-made", "recruitment-ended"]


def test_a_link_that_could_pay_nobody_or_offers_other_work_is_refused(manager, address):
    client = client_of(manager.user)
    Project.objects.update(limits={"judge": 50})
    for change, field in (
        ({"completion_code": ""}, "completion_code"),
        ({"completion_url": "javascript:alert(1)"}, "completion_url"),
        ({"kinds": ["translate"]}, "kinds"),
        ({"kinds": []}, "kinds"),
        ({"days": 0}, "days"),
        ({"least_answers": 0}, "least_answers"),
        ({"least_answers": 51}, "least_answers"),
        ({"least_answers": 51}, "least_answers"),
        ({"same_browser": "perhaps"}, "same_browser"),
        ({"peopel": 3}, "peopel"),
    ):
        reply = client.post(address, OFFER | change, format="json")
        assert reply.status_code == 400, change
        assert reply.json()["errors"][0]["attr"].partition(".")[0] == field
    assert not Recruitment.objects.exists()


def test_a_link_says_who_completes_the_study_and_what_a_second_id_gets(manager, address):
    client = client_of(manager.user)
    rules = {"least_answers": 40, "nothing_left_code": "N1", "same_browser": "check"}
    made = [client.post(address, OFFER | sent, format="json").json() for sent in ({}, rules)]
    assert [(link["least_answers"], link["same_browser"]) for link in made] == [
        (None, "refuse"),
        (40, "check"),
    ]
    assert (made[1]["nothing_left_code"], made[1]["nothing_left"]) == ("N1", 0)


def test_links_belong_to_one_project_which_is_not_archived(manager, address):
    client, other = client_of(manager.user), make.person(make.study(), role=Role.MANAGER)
    made = client.post(address, OFFER, format="json").json()["id"]
    elsewhere = reverse("api_revoke_recruitment", args=[other.project.public_id, made])
    assert client_of(other.user).post(elsewhere).status_code == 404
    lifecycle.archive(manager.project, by=manager.user)
    assert client.post(address, OFFER, format="json").status_code == 403
    assert client.post(f"{address}{made}/revoke/").status_code == 403
    assert client.get(address).status_code == 200
