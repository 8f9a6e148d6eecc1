"""The first page: what there is to do, for everybody who may sign in."""

from django.test import Client

from accounts.models import User
from annotation.models import Membership
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


def test_an_administrator_without_a_project_is_led_to_the_administration(db):
    text = page_of(User.objects.create_superuser("root")).text
    assert "No project has you as a member yet" in text
    assert 'href="/admin/"' in text


def test_results_are_linked_for_those_who_may_see_them(project):
    overview = f'href="/projects/{project.public_id}/"'
    manager = cast.person(project, role=Membership.Role.MANAGER)
    assert overview in page_of(manager.user).text
    assert overview not in page_of(cast.person(project).user).text
