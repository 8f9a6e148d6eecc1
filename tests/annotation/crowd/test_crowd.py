"""People whom a platform sends: one account for an id, opened by its own browser alone."""

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import erase
from annotation.crowd import selectors, services
from annotation.models import Membership, Participant, Project, Role
from annotation.pairs.labelled_lines import GoldPair
from annotation.people.services import members
from annotation.projects.services import projects
from annotation.quality.services import interventions, qualification
from tests.annotation import make, translating
from tests.annotation.pages import HTMX, client_of, form_at, page, rows_of, signed_in

TAKE_PART = "/take-part/"
ADA, BO = "5f0c9a1be2d47736aa01bb02", "61d2b7c8e9f0a1b2c3d4e5f6"


@pytest.fixture
def manager(project):
    return make.person(project, role=Role.MANAGER).user


@pytest.fixture
def recruit(project, manager):
    """Call it for the address of a new recruiting link, without parameters."""

    def create(**columns):
        offer = {"platform": "prolific", "kinds": ["judge"], "most_people": 3}
        offer |= {"completion_code": "DONE1", "screen_out_code": "OUT1"} | columns
        soon = timezone.now() + timedelta(days=1)
        target = offer.pop("project", project)
        _, secret = services.create(target, by=manager, expires_at=soon, **offer)
        return f"{TAKE_PART}{secret}/"

    return create


@pytest.fixture
def link(recruit):
    return recruit()


def arrive(link, person=ADA, client=None, **parameters):
    """What a browser has after it has followed the platform's link."""
    client = client or Client()
    sent = {"PROLIFIC_PID": person, "STUDY_ID": "study1", "SESSION_ID": "s1"} | parameters
    client.get(link, sent)
    return client


def press(client, **entered):
    """Press the button of the page to which the platform's link led, if there is one."""
    reply = client.get(TAKE_PART)
    if reply.status_code != 200:
        return reply
    return client.post(TAKE_PART, entered | {"arrival": reply.context["arrival"]})


def begin(link, person=ADA, client=None):
    client = arrive(link, person, client)
    assert press(client).status_code == 302
    return client


def sign_out(client):
    """As the button does it: the browser stays known."""
    client.post("/accounts/logout/")
    assert who(client) == 0


def who(client):
    return int(client.session.get(SESSION_KEY, 0))


def account(person=ADA):
    return Participant.objects.get(participant_id=person).membership.user_id


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
    assert who(stranger) not in (0, account_in(link_project(link)))
    Participant.objects.filter(project=other).delete()
    begin(elsewhere, client=ada)
    assert account_in(other) == who(ada)


def account_in(project):
    return Participant.objects.get(project=project).membership.user_id


def link_project(link):
    return selectors.find(link.split("/")[2]).project


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
    services.revoke(selectors.find(link.split("/")[2]), by=manager)
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


def test_at_the_quota_people_go_back_with_the_completion_code(link, project):
    make.pairs(project, 3)
    Project.objects.update(limits={"judge": 1})
    client, finish = begin(link), page("finish", project)
    work = page("work", project, "judge")
    assert client.get(finish).url == page("welcome", project)
    item = client.get(work).context["item"].id
    done = client.post(work, {"item": item, "label": 1, "seconds": "60"}, headers=HTMX)
    assert finish in done.text
    left = urlsplit(client.get(finish).url)
    assert (left.netloc, parse_qs(left.query)) == ("app.prolific.com", {"cc": ["DONE1"]})
    assert Participant.objects.get().outcome == "completed"


def test_a_person_who_skips_everything_gets_no_completion_code(recruit, project, manager):
    make.pairs(project, 2)
    client, finish = begin(recruit()), page("finish", project)
    while item := client.get(page("work", project, "judge")).context["item"]:
        skipped = {"item": item.id, "reason": "unclear"}
        client.post(page("skip", project, "judge"), skipped)
    shown = client.get(finish)
    assert "nothing left for you" in shown.text
    assert "given 0 answers, and completing this study takes 1" in shown.text
    assert "DONE1" not in shown.text
    [row] = rows_of(signed_in(manager).get(page("recruiting_report", project)))
    assert (row["outcome"], row["pay"]) == ("nothing-left", "")
    overview = signed_in(manager).get(page("overview", project)).text
    assert "1 participant ended below the minimum of answers" in overview


@pytest.mark.parametrize(
    ("least", "limits", "is_enough"),
    [(None, {}, True), (None, {"judge": 2}, True), (None, {"judge": 3}, False), (3, {}, False)],
)
def test_the_completion_code_takes_the_minimum_of_answers(
    recruit, project, least, limits, is_enough
):
    make.pairs(project, 2)
    Project.objects.update(limits=limits)
    client = begin(recruit(least_answers=least, nothing_left_code="NONE1"))
    make.judge_all(Membership.objects.get(user=account()), 1)
    reply = client.get(page("finish", project))
    if is_enough:
        assert reply.url.endswith("/complete?cc=DONE1")
    else:
        assert "/complete?cc=NONE1" in reply.text


def test_who_reaches_the_limit_below_the_minimum_is_told_so_without_thanks(recruit, project):
    make.pairs(project, 2)
    client = begin(recruit(least_answers=2, nothing_left_code="NONE1"))
    make.judge_next(Membership.objects.get(user=account()))
    Project.objects.update(limits={"judge": 1})  # as before the settings refused this
    work = client.get(page("work", project, "judge")).text
    shown = client.get(page("finish", project)).text
    assert "You have reached the limit of answers" in shown
    assert "given 1 answer, and completing this study takes 2" in shown
    assert "isn’t your mistake" in shown
    assert "Thank you" not in work + shown


def test_what_a_participant_finished_with_is_no_longer_undone(link, project):
    make.pairs(project, 2)
    Project.objects.update(limits={"judge": 1})
    client, undo = begin(link), page("undo", project, "judge")
    member = Membership.objects.get(user=account())
    make.judge_next(member)
    client.get(page("finish", project))
    reply = client.post(undo, headers=HTMX)
    assert (reply.status_code, member.duty("judge").total) == (409, 1)
    assert "You have finished since you gave this answer" in reply.text
    Project.objects.update(limits={})
    make.judge_next(Membership.objects.get(user=account()))
    client.post(undo, headers=HTMX)
    assert member.duty("judge").total == 1


def test_who_comes_back_by_another_link_undoes_nothing_of_before(recruit, project):
    make.pairs(project, 1)
    client = begin(recruit())
    member = Membership.objects.get(user=account())
    make.judge_next(member)
    client.get(page("finish", project))
    begin(recruit(), client=client)
    client.post(page("undo", project, "judge"), headers=HTMX)
    assert (Participant.objects.get().outcome, member.duty("judge").total) == ("", 1)


def test_a_minimum_that_no_one_could_reach_is_refused(recruit, project, manager):
    client, form = signed_in(manager), {"platform": "prolific", "kinds": ["judge"], "days": 7}
    form |= {"most_people": 3, "completion_code": "DONE1"}
    Project.objects.update(limits={"judge": 2})
    for least, reason in ((3, "limit of answers per person is 2,"), (10**12, "1000000")):
        reply = client.post(page("recruit_people", project), form | {"least_answers": least})
        assert reply.status_code == 422, least
        assert reason in str(reply.context["form"].errors["least_answers"])


def test_a_limit_below_the_minimum_of_an_open_link_is_refused(recruit, project, manager):
    client, address = signed_in(manager), page("project_settings", project)
    link = recruit(least_answers=3)
    lowered = form_at(client, address, limit_judge=2)
    reply = client.post(address, lowered)
    assert "need 3 answers" in str(reply.context["form"].errors["limit_judge"])
    services.revoke(selectors.find(link.split("/")[2]), by=manager)
    assert client.post(address, lowered).status_code == 302


def test_a_person_with_nothing_left_completes_the_study_with_later_work(link, project):
    client, finish = begin(link), page("finish", project)
    client.get(finish)
    assert Participant.objects.get().outcome == "nothing-left"
    make.pairs(project, 1)
    make.judge_next(Membership.objects.get(user=account()))
    client.get(finish)
    assert Participant.objects.get().outcome == "completed"
    Project.objects.update(limits={"judge": 5})  # what is paid stays paid
    assert "cc=DONE1" in client.get(finish).url


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


def test_a_page_that_was_not_signed_here_takes_nobody_in(link):
    client = arrive(link)
    assert client.post(TAKE_PART, {"arrival": "forged"}).status_code == 404
    assert who(client) == 0


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


def test_who_fails_the_test_goes_back_with_the_screen_out_address(recruit, project):
    address = "https://panel.example/out?id={participant}&session={session}"
    link = recruit(screen_out_url=address)
    Project.objects.update(asks_qualification=True, attempts=1)
    project.refresh_from_db()
    qualification.add(project, [GoldPair("Ada met Bo.", "Bo met Ada.", 1)])
    client = begin(link)
    client.post(page("begin_attempt", project))
    [pair] = project.qualification_pairs.all()
    failed = {"item": pair.public_id, "label": 0}
    shown = client.post(page("qualify", project), failed, follow=True)
    assert page("finish", project) in shown.text
    assert client.get(page("finish", project)).url == (
        f"https://panel.example/out?id={ADA}&session=s1"
    )
    assert Participant.objects.get().outcome == "screened-out"
    qualification.let_pass(Membership.objects.get(user=account()))
    make.pairs(project, 1)
    make.judge_next(Membership.objects.get(user=account()))
    assert "/complete?cc=DONE1" in client.get(page("finish", project)).url
    assert Participant.objects.get().outcome == "completed"


def test_where_there_is_only_a_code_it_is_shown(recruit, project):
    client = Client()
    client.get(recruit(platform="other"), {"participant": "17"})
    press(client)
    make.pairs(project, 1)
    make.judge_next(Membership.objects.get(user=account("17")))
    assert 'value="DONE1"' in client.get(page("finish", project)).text


def test_the_report_counts_translations(recruit, manager):
    project = translating.study()
    projects.add_member(project, manager, role=Role.MANAGER)
    begin(recruit(project=project, kinds=["translate"]))
    translating.translate_next(Membership.objects.get(user=account()))
    project.slots.answered().update(seconds=60.0)
    [row] = rows_of(signed_in(manager).get(page("recruiting_report", project)))
    assert (row["translations"], row["judgments"], row["answers_per_hour"]) == ("1", "0", "60.0")


def test_the_report_has_measured_time_and_pay_for_managers_alone(recruit, project, manager):
    make.pairs(project, 2)
    link = recruit(reward="2.00", currency="EUR")
    client, report = begin(link), page("recruiting_report", project)
    member = Membership.objects.get(user=account())
    make.judge_all(member, 1)
    member.project.slots.of_member(member).update(seconds=300.0)
    client.get(page("finish", project))
    [row] = rows_of(signed_in(manager).get(report))
    assert (row["participant_id"], row["outcome"], row["judgments"]) == (ADA, "completed", "2")
    assert (row["minutes"], row["answers_per_hour"]) == ("10.0", "12.0")
    assert (row["pay"], row["currency"], row["pay_per_hour"]) == ("2.0", "EUR", "12.0")
    assert ADA in signed_in(manager).get(page("recruiting", project)).text
    researcher = client_of(project, "researcher")
    assert researcher.get(report).status_code == 404
    assert ADA not in researcher.get(page("annotators", project)).text


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
