"""Several ids in one browser: refused, checked by a manager, or allowed."""

import pytest

from accounts.models import User
from annotation.crowd import selectors
from annotation.models import Membership, Participant
from annotation.quality.services import interventions
from tests.annotation import make
from tests.annotation.crowd.arriving import (
    ADA,
    BO,
    TAKE_PART,
    account,
    arrive,
    begin,
    press,
    sign_out,
    who,
)
from tests.annotation.pages import page, rows_of, signed_in


@pytest.mark.parametrize("leaves", [lambda client: None, lambda client: sign_out(client)])
def test_a_second_id_in_a_browser_is_refused_and_the_first_person_is_flagged(link, project, leaves):
    client = begin(link)
    leaves(client)
    reply = press(arrive(link, BO, client))
    assert (reply.status_code, Participant.objects.count()) == (409, 1)
    assert "Another participant has used this browser" in reply.text
    [flag] = Membership.objects.get(user=account()).interventions.all()
    assert (flag.kind, flag.evidence) == ("flag", {"flag": "refused_id"})
    press(arrive(link, BO, client))
    assert Membership.objects.get(user=account()).interventions.count() == 1
    begin(link, ADA, client)
    assert who(client) == account()


def test_a_second_id_of_another_platform_is_refused_in_a_browser(recruit):
    client = begin(recruit())
    client.get(recruit(platform="other"), {"participant": "17"})
    assert (press(client).status_code, Participant.objects.count()) == (409, 1)


def test_a_button_is_of_the_person_whom_its_page_shows(link):
    client = arrive(link)
    first_tab = client.get(TAKE_PART).context["arrival"]
    arrive(link, BO, client).get(TAKE_PART)
    client.post(TAKE_PART, {"arrival": first_tab})
    assert Participant.objects.get().participant_id == ADA


def test_a_participant_in_the_browser_of_an_invited_annotator_is_flagged(link, client, alice):
    begin(link, client=client)
    [flag] = Membership.objects.get(user=account()).interventions.all()
    assert (flag.kind, flag.evidence) == ("flag", {"flag": "same_browser"})


def test_a_second_id_in_a_browser_gets_no_work_until_a_manager_has_checked(
    recruit, project, manager
):
    link = recruit(same_browser="check")
    make.pairs(project, 1)
    client = begin(link, BO, begin(link))
    second = Membership.objects.get(user=account(BO))
    assert [step.kind for step in second.interventions.all()] == ["flag", "pause"]
    work = page("work", project, "judge")
    assert client.get(work).context["item"] is None
    assert selectors.ending(second) is None
    first = User.objects.get(pk=account()).username
    rows = rows_of(signed_in(manager).get(page("recruiting_report", project)))
    assert [row["same_browser_as"] for row in rows] == [first, ""]
    assert f"same browser as {first}" in signed_in(manager).get(page("recruiting", project)).text
    interventions.resume(second, by=manager, reason="They share a flat.")
    begin(link, BO, client)
    assert client.get(work).context["item"] is not None


def test_earlier_answers_of_a_second_id_in_a_browser_are_excluded_until_the_check(recruit, project):
    link = recruit(same_browser="check")
    make.pairs(project, 1)
    begin(link, BO)
    second = Membership.objects.get(user=account(BO))
    answer = make.judge_next(second)
    browser = arrive(link, BO, begin(link))
    press(browser, code=selectors.return_code(second.user))
    answer.refresh_from_db()
    assert (who(browser), answer.excluded_by.kind) == (second.user_id, "exclude")


def test_a_link_may_let_several_people_work_in_one_browser(recruit, project):
    link = recruit(same_browser="allow")
    begin(link, BO, begin(link))
    second = Participant.objects.get(participant_id=BO)
    assert second.same_browser_as == Participant.objects.get(participant_id=ADA)
    assert not second.membership.interventions.exists()
