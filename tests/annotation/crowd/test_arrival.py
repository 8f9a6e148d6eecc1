"""People whom a platform sends: one account for an id, opened by its own browser alone."""

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import erase
from annotation.crowd import services
from annotation.models import Membership, Participant, Project, Role
from annotation.people.services import members
from tests.annotation import make
from tests.annotation.crowd.arriving import (
    ADA,
    BO,
    TAKE_PART,
    account,
    account_in,
    arrive,
    begin,
    press,
    recruitment_of,
    sign_out,
    who,
)
from tests.annotation.pages import page


def test_the_id_and_the_secret_leave_the_address_and_looking_creates_nothing(link):
    client = Client()
    first = client.get(link, {"PROLIFIC_PID": ADA})
    assert (first.status_code, first.url) == (302, TAKE_PART)
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert ADA in client.get(TAKE_PART).text
    assert not Participant.objects.exists()


def test_a_newcomer_begins_with_one_click_and_the_same_browser_continues(link, project):
    client = begin(link)
    assert client.get(page("welcome", project)).status_code == 200
    [person] = Participant.objects.all()
    assert (person.participant_id, person.study_id, person.session_id) == (ADA, "study1", "s1")
    user = person.membership.user
    assert (user.username[:12], user.has_usable_password()) == ("participant-", False)
    assert ADA not in user.username
    assert person.membership.kinds == ["judge"]
    sign_out(client)
    assert arrive(link, client=client).get(TAKE_PART).url == page("welcome", project)
    assert (who(client), Participant.objects.count()) == (user.pk, 1)


def test_an_id_alone_opens_nobodys_account_but_the_return_code_does(link, project):
    own = begin(link)
    code = own.get(page("me", project)).context["return_code"]
    stranger = arrive(link)
    assert "started in another browser" in stranger.get(TAKE_PART).text
    for sent in ({}, {"code": "AAAA-BBBB-CCCC"}, {"code": ""}, {"code": "x" * 50}):
        press(stranger, **sent)
        assert who(stranger) == 0, sent
    for _ in range(20):
        reply = press(stranger, code="AAAA-BBBB-CCCC")
    assert "Too many attempts" in reply.text
    phone = arrive(link)
    phone.defaults["REMOTE_ADDR"] = "10.0.0.9"
    assert press(phone, code=code.lower().replace("-", " ")).status_code == 302
    assert who(phone) == account()


def test_the_link_opens_no_account_that_has_a_password_or_rights(link, project):
    client = begin(link)
    sign_out(client)
    changes = ({"is_staff": True}, {"is_staff": False, "password": "md5$a$b"})
    for columns in changes:
        User.objects.filter(pk=account()).update(**columns)
        assert "/accounts/login/" in arrive(link, client=client).get(TAKE_PART).url
        assert who(client) == 0
    User.objects.filter(pk=account()).update(password="!")
    Membership.objects.filter(user=account()).update(role=Role.RESEARCHER)
    assert "/accounts/login/" in arrive(link, client=client).get(TAKE_PART).url


def test_links_of_another_project_open_no_account_but_one_that_the_browser_proves(link, recruit):
    ada = begin(link)
    other = make.study()
    elsewhere = recruit(project=other)
    stranger = begin(elsewhere)
    assert who(stranger) not in (0, account_in(recruitment_of(link).project))
    Participant.objects.filter(project=other).delete()
    begin(elsewhere, client=ada)
    assert account_in(other) == who(ada)


def test_a_link_admits_people_up_to_its_number_and_date_while_the_project_is_open(
    recruit, project, manager
):
    link = recruit(most_people=1)
    ada = begin(link)
    full = arrive(link, BO)
    assert press(full).status_code == 410
    sign_out(ada)
    assert arrive(link, client=ada).get(TAKE_PART).status_code == 302
    link = recruit()
    Project.objects.update(is_open=False)
    assert press(arrive(link, BO)).status_code == 410
    Project.objects.update(is_open=True)
    services.revoke(recruitment_of(link), by=manager)
    assert press(arrive(link, BO)).status_code == 410


@pytest.mark.parametrize("sent", ["", "{{%PROLIFIC_PID%}}", "<b>", "x" * 101])
def test_a_link_without_an_id_says_so(link, sent):
    reply = Client().get(link, {"PROLIFIC_PID": sent})
    assert reply.status_code == 422
    assert "Your participant ID is missing" in reply.text


def test_mturk_previews_ask_to_accept_the_task_first(recruit):
    link, client = recruit(platform="mturk"), Client()
    preview = {"workerId": "A1", "assignmentId": "ASSIGNMENT_ID_NOT_AVAILABLE"}
    assert "Accept the task first" in client.get(link, preview).text
    client.get(link, {"workerId": "A1", "assignmentId": "3X", "hitId": "H1"})
    press(client)
    person = Participant.objects.get()
    assert (person.participant_id, person.study_id, person.session_id) == ("A1", "H1", "3X")


def test_who_is_signed_in_as_somebody_else_is_told_before_it_changes(link, alice, client):
    arrive(link, client=client)
    assert f"signed in as {alice.user.username}" in client.get(TAKE_PART).text
    assert who(client) == alice.user_id
    press(client)
    assert who(client) == account() != alice.user_id


def test_a_page_that_was_not_signed_here_takes_nobody_in(link):
    client = arrive(link)
    assert client.post(TAKE_PART, {"arrival": "forged"}).status_code == 404
    assert who(client) == 0


def test_the_id_is_erased_with_the_account(link, manager):
    begin(link)
    user = User.objects.get(pk=account())
    erase(user, by=manager)
    person = Participant.objects.get()
    assert (person.participant_id[:7], person.study_id, person.session_id) == ("erased-", "", "")
    assert who(begin(link)) != user.pk


def test_the_consent_text_comes_before_the_work(link, project):
    Project.objects.update(consent="We store answers.", consent_changed_at=timezone.now())
    client = begin(link)
    assert "We store answers." in client.get(page("welcome", project)).text
    assert client.get(page("work", project, "judge")).url == page("welcome", project)
    version = members.version_of("We store answers.")
    client.post(page("welcome", project), {"version": version, "agreed": "on"})
    assert client.get(page("work", project, "judge")).status_code == 200
