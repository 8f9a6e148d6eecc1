"""Managers bring people in and decide what they may do."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.known_lines import KnownPair
from annotation.models import Invitation, Membership, Project, Role
from annotation.services import invitations, qualification
from tests.annotation import cast

OFFER = {
    "role": "annotator",
    "may_judge": "on",
    "most_people": "3",
    "days": "7",
    "note": "Students of May",
}


@pytest.fixture
def project(db: None) -> Project:
    return cast.study()


@pytest.fixture
def manager(project: Project) -> Membership:
    return cast.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager: Membership) -> Client:
    return signed_in(manager)


def signed_in(member: Membership) -> Client:
    client = Client()
    client.force_login(member.user)
    return client


def page(name: str, project: Project, *more: object) -> str:
    return reverse(name, args=[project.public_id, *more])


def invite(client: Client, project: Project, **changes: str):
    return client.post(page("invite", project), OFFER | changes)


def test_a_person_leads_to_what_they_may_do_and_what_they_have_done(client, project):
    key = cast.person(project).user.public_id
    place, work = page("person", project, key), page("annotator", project, key)
    assert f'href="{place}"' in client.get(page("people", project)).text
    assert f'href="{work}"' in client.get(place).text
    assert f'href="{place}"' in client.get(work).text


def test_a_link_is_made_and_opens_the_door(client, project, manager):
    reply = invite(client, project)
    [address] = re.findall(r'value="(http://testserver/join/[\w-]{43}/)"', reply.text)
    made = Invitation.objects.get()
    assert (made.most_people, made.may_correct, made.may_judge) == (3, False, True)
    assert (made.note, made.created_by) == ("Students of May", manager.user)
    assert 6 <= (made.expires_at - timezone.now()).days <= 7
    assert Client().get(address).url == "/join/"


def test_the_link_is_shown_once_and_kept_nowhere(client, project):
    reply = invite(client, project)
    secret = re.findall(r"/join/([\w-]{43})/", reply.text)[0]
    assert "no-store" in reply.headers["Cache-Control"]
    assert secret not in client.get(page("people", project)).text
    assert secret not in str(dict(client.session))


@pytest.mark.parametrize(
    "change",
    [
        {"most_people": "0"},
        {"most_people": "1001"},
        {"days": "8"},
        {"role": "x"},
        {"note": "x" * 201},
    ],
)
def test_an_offer_that_makes_no_sense_is_given_back(client, project, change):
    reply = invite(client, project, **change)
    assert reply.status_code == 422
    assert "errorlist" in reply.text
    assert Invitation.objects.count() == 0


def test_the_list_tells_how_many_joined_and_takes_links_back(client, project, manager):
    invite(client, project)
    made = Invitation.objects.get()
    invitations.join(str(made.public_id), cast.person(cast.study()).user)
    text = client.get(page("people", project)).text
    assert "1 of 3" in text
    assert "Students of May" in text
    client.post(page("revoke_invitation", project, made.public_id))
    assert "taken back" in client.get(page("people", project)).text
    assert not invitations.is_open(str(made.public_id))


def test_a_link_of_another_project_is_not_taken_back(client, project):
    other = cast.person(cast.study(), role=Role.MANAGER)
    invite(signed_in(other), other.project)
    made = Invitation.objects.get()
    assert client.post(page("revoke_invitation", project, made.public_id)).status_code == 404
    assert invitations.is_open(str(made.public_id))


def test_role_and_work_are_changed(client, project):
    ada = cast.person(project)
    address = page("person", project, ada.user.public_id)
    assert ada.user.username in client.get(address).text
    reply = client.post(address, {"role": "researcher", "may_judge": "on"})
    assert reply.url == page("people", project)
    ada.refresh_from_db()
    assert (ada.role, ada.may_correct, ada.may_judge) == (Role.RESEARCHER, False, True)


def test_the_last_manager_is_kept(client, project, manager):
    address = page("person", project, manager.user.public_id)
    reply = client.post(address, {"role": "annotator"})
    assert reply.status_code == 422
    assert "at least one manager" in reply.text
    manager.refresh_from_db()
    assert manager.role == Role.MANAGER


def test_a_manager_who_steps_down_goes_home(client, project, manager):
    cast.person(project, role=Role.MANAGER)
    reply = client.post(page("person", project, manager.user.public_id), {"role": "annotator"})
    assert reply.url == "/"


def test_another_attempt_is_granted_and_somebody_is_let_in(client, project):
    Project.objects.update(asks_qualification=True, attempts=1)
    ada = cast.person(project)
    ada.attempts.create(number=1, finished_at=timezone.now(), share=0.2, passed=False)
    assert "no attempt left" in client.get(page("people", project)).text
    client.post(page("grant_attempt", project, ada.user.public_id))
    assert ada.attempts.get().passed is None
    assert "has not qualified yet" in client.get(page("people", project)).text
    client.post(page("let_pass", project, ada.user.public_id))
    ada.refresh_from_db()
    assert ada.qualified_at is not None


def test_the_page_costs_the_same_for_many(client, project, django_assert_max_num_queries):
    Project.objects.update(asks_qualification=True)
    qualification.add(project, [KnownPair("One.", "Two.", 1)])
    for _ in range(12):
        cast.person(project)
    invite(client, project)
    with django_assert_max_num_queries(6):
        client.get(page("people", project))


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.RESEARCHER])
@pytest.mark.parametrize("name", ["people", "qualification_set"])
def test_these_pages_are_for_managers(project, role, name):
    assert signed_in(cast.person(project, role=role)).get(page(name, project)).status_code == 404


@pytest.mark.parametrize("role", [Role.ANNOTATOR, Role.RESEARCHER])
def test_nobody_else_invites_or_changes_people(project, role):
    member = cast.person(project, role=role)
    client = signed_in(member)
    assert invite(client, project).status_code == 404
    own = member.user.public_id
    for name in ("person", "grant_attempt", "let_pass"):
        assert client.post(page(name, project, own), {"role": "manager"}).status_code == 404
    member.refresh_from_db()
    assert member.role == role


def test_a_person_of_another_project_is_not_found(client, project):
    stranger = cast.person(cast.study())
    assert client.get(page("person", project, stranger.user.public_id)).status_code == 404
