"""How participants leave: with which code, after how many answers, and what may follow."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from annotation.crowd import services
from annotation.models import Membership, Participant, Project
from annotation.pairs.labelled_lines import GoldPair
from annotation.quality.services import qualification
from tests.annotation import make
from tests.annotation.crowd.arriving import ADA, account, begin, press, recruitment_of
from tests.annotation.pages import HTMX, form_at, page, rows_of, signed_in


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
    client, address = signed_in(manager), page("work_settings", project)
    link = recruit(least_answers=3)
    lowered = form_at(client, address, limit_judge=2)
    reply = client.post(address, lowered)
    assert "need 3 answers" in str(reply.context["form"].errors["limit_judge"])
    services.revoke(recruitment_of(link), by=manager)
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
