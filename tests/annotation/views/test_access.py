"""Who may come in: strangers see nothing, not even that there is something."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership
from tests.annotation import cast

PAGES = ["overview", "guidelines", "correct", "judge"]
MEMBERS_PAGES = ["guidelines", "correct", "judge"]
Role = Membership.Role


def signed_in(membership: Membership) -> Client:
    client = Client()
    client.force_login(membership.user)
    return client


@pytest.mark.parametrize("name", PAGES)
def test_without_a_session_every_page_leads_to_the_sign_in_page(project, name):
    page = reverse(name, args=[project.public_id])
    reply = Client().get(page)
    assert (reply.status_code, reply.url) == (302, f"/accounts/login/?next={page}")


@pytest.mark.parametrize("name", ["undo_correction", "undo_judgment"])
def test_without_a_session_nothing_is_undone(project, name):
    reply = Client().post(reverse(name, args=[project.public_id]))
    assert reply.url.startswith("/accounts/login/")


def test_a_session_that_ended_sends_the_whole_page_to_sign_in(project, judge_page):
    headers = {"HX-Request": "true", "HX-Current-URL": f"http://testserver{judge_page}"}
    reply = Client().post(judge_page, headers=headers)
    assert reply.headers["HX-Redirect"] == f"/accounts/login/?next={judge_page}"


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_finds_nothing(project, name):
    stranger = cast.person(cast.study(), role=Role.MANAGER)
    assert signed_in(stranger).get(reverse(name, args=[project.public_id])).status_code == 404


@pytest.mark.parametrize("name", MEMBERS_PAGES)
def test_a_member_comes_in(client, project, name):
    assert client.get(reverse(name, args=[project.public_id])).status_code == 200


def test_who_is_not_asked_to_correct_finds_no_page_for_it(project, correct_page):
    member = cast.person(project, may_correct=False)
    assert signed_in(member).get(correct_page).status_code == 404


def test_who_is_not_asked_to_judge_finds_no_page_for_it(project, judge_page):
    member = cast.person(project, may_judge=False)
    assert signed_in(member).get(judge_page).status_code == 404


@pytest.mark.parametrize(
    ("role", "status"), [(Role.ANNOTATOR, 404), (Role.RESEARCHER, 200), (Role.MANAGER, 200)]
)
def test_results_are_for_researchers_and_managers(project, role, status):
    member = cast.person(project, role=role)
    page = reverse("overview", args=[project.public_id])
    assert signed_in(member).get(page).status_code == status


def test_a_missing_page_is_a_page_of_ours(client):
    reply = client.get("/nowhere/")
    assert reply.status_code == 404
    assert "There is nothing at this address" in reply.text


@pytest.mark.parametrize("name", ["undo_correction", "undo_judgment"])
def test_undoing_takes_a_post(client, project, name):
    assert client.get(reverse(name, args=[project.public_id])).status_code == 405


def test_an_answer_without_its_token_is_refused_kindly(alice, judge_page):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice.user)
    reply = client.post(judge_page, {"label": 1})
    assert reply.status_code == 403
    assert "too old to be sent" in reply.text


@pytest.mark.parametrize("name", ["correct", "judge"])
def test_browsers_do_not_keep_items(client, project, name):
    reply = client.get(reverse(name, args=[project.public_id]))
    assert "no-store" in reply.headers["Cache-Control"]
