"""The first page: what there is to do, for everybody who may sign in."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Membership, Project
from annotation.services import admission, interventions, judgments
from tests.annotation import cast


def page_of(user: User):
    client = Client()
    client.force_login(user)
    return client.get("/")


def test_a_member_sees_what_waits_and_what_they_did(client, alice, project, correct_page):
    cast.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    cast.correct_next(alice)
    [card] = client.get("/").context["cards"]
    assert (card.correcting.waiting, card.correcting.done.total) == (1, 1)
    assert correct_page in client.get("/").text


def test_work_that_is_not_theirs_is_not_offered(project):
    member = cast.person(project, may_correct=False)
    [card] = page_of(member.user).context["cards"]
    assert card.correcting is None
    assert card.judging is not None


def test_when_all_is_done_the_page_gives_thanks(client, alice, project, judge_page):
    cast.pairs(project, 1)
    cast.judge_all(alice, 1)
    text = client.get("/").text
    assert "All done for now: thank you." in text
    assert judge_page not in text


def test_a_new_member_of_an_empty_project_is_told_so(client):
    assert "Nothing is waiting for you yet." in client.get("/").text


def test_a_closed_project_offers_no_work(client, project, judge_page):
    cast.pairs(project, 1)
    project.is_open = False
    project.save()
    text = client.get("/").text
    assert "Closed for now." in text
    assert judge_page not in text


def test_somebody_without_a_project_learns_what_to_do_next(db):
    text = page_of(User.objects.create_user("newcomer")).text
    assert "You are not in a project yet" in text
    assert "newcomer" in text


@pytest.mark.parametrize("right", ["is_superuser", "is_staff"])
def test_who_may_make_a_project_and_has_none_is_led_there(db, right):
    user = User.objects.create_user("root", **{right: True})
    text = page_of(user).text
    assert "No project has you as a member yet" in text
    assert 'href="/projects/new/"' in text


def test_who_is_not_admitted_yet_is_led_to_the_first_page(project, judge_page):
    cast.pairs(project, 1)
    Project.objects.update(consent="We store.", consent_changed_at=timezone.now())
    text = page_of(cast.person(project).user).text
    assert "Begin here" in text
    assert reverse("welcome", args=[project.public_id]) in text
    assert judge_page not in text


def test_who_has_failed_the_set_is_told_whom_to_ask(project, judge_page):
    Project.objects.update(asks_qualification=True, attempts=1)
    member = cast.person(project)
    member.attempts.create(number=1, finished_at=timezone.now(), share=0.0, passed=False)
    text = page_of(member.user).text
    assert "Whoever invited you can grant you another one." in text
    assert "Begin here" not in text


def test_who_has_reached_the_limit_is_thanked(alice, client, project, judge_page):
    cast.pairs(project, 3)
    Project.objects.update(most_judgments=1, most_corrections=0)
    slot = judgments.claim(Membership.objects.select_related("project", "user").get(pk=alice.pk))
    assert slot is not None
    judgments.submit(alice, pair_public_id=slot.pair.public_id, label=1)
    text = client.get("/").text
    assert "You have done all that one person may do here" in text
    assert judge_page not in text


def test_who_is_paused_reads_why(client, alice, project):
    cast.pairs(project, 1)
    interventions.pause(alice, by=None, reason="Too fast to read.")
    text = client.get("/").text
    assert "You are paused" in text
    assert "Too fast to read." in text


def test_a_newcomer_who_may_begin_at_once_is_shown_the_first_page_too(client, alice, project):
    assert "New here?" in client.get("/").text
    admission.leave_first_page(alice)
    assert "New here?" not in client.get("/").text


def test_everybody_finds_their_own_work_and_their_password(client, project):
    text = client.get("/").text
    assert reverse("me", args=[project.public_id]) in text
    assert "/accounts/password/change/" in text


def test_results_are_linked_for_those_who_may_see_them(project):
    overview = f'href="/projects/{project.public_id}/"'
    manager = cast.person(project, role=Membership.Role.MANAGER)
    assert overview in page_of(manager.user).text
    assert overview not in page_of(cast.person(project).user).text
