"""The page of one annotator: figures for those who read, steps for those who manage."""

import uuid

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotation.models import Consensus, Intervention, Judgment, Membership, Project
from annotation.services import interventions
from tests.annotation import cast, judged

Role = Membership.Role
STEPS = ["warn", "pause", "resume", "hold_out", "reinstate"]


def signed_in(membership: Membership) -> Client:
    client = Client()
    client.force_login(membership.user)
    return client


@pytest.fixture
def manager(project: Project) -> Membership:
    return cast.person(project, role=Role.MANAGER)


@pytest.fixture
def client(manager: Membership) -> Client:
    return signed_in(manager)


@pytest.fixture
def bo(project: Project) -> Membership:
    """Somebody who said “different” where four others said “same”."""
    cast.pairs(project, 3)
    bo, *_ = judged.all_that_is_open(project, [0, 1, 1, 1, 1])
    return bo


def at(name: str, person: Membership, *more: str) -> str:
    return reverse(name, args=[person.project.public_id, person.user.public_id, *more])


def routes(person: Membership) -> list[str]:
    steps = [at("intervene", person, step) for step in STEPS]
    return [*steps, at("same_person", person), at("separate", person)]


def test_the_page_is_for_managers_and_researchers(project, bo, client):
    researcher = signed_in(cast.person(project, role=Role.RESEARCHER))
    assert client.get(at("annotator", bo)).status_code == 200
    assert researcher.get(at("annotator", bo)).status_code == 200
    assert "Pause…" in client.get(at("annotator", bo)).text
    assert "Pause…" not in researcher.get(at("annotator", bo)).text
    for nobody in (cast.person(project), cast.person(cast.study(), role=Role.MANAGER)):
        assert signed_in(nobody).get(at("annotator", bo)).status_code == 404
    assert Client().get(at("annotator", bo)).url.startswith("/accounts/login/")
    assert client.post(at("annotator", bo)).status_code == 405


@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_nobody_but_managers_takes_a_step(project, bo, method):
    people = [
        cast.person(project),
        cast.person(project, role=Role.RESEARCHER),
        cast.person(cast.study(), role=Role.MANAGER),
    ]
    for person in people:
        for address in routes(bo):
            reply = getattr(signed_in(person), method)(address, {"reason": "Because."})
            assert reply.status_code in ((404,) if method == "post" else (404, 405))
    for address in routes(bo):
        assert Client().post(address, {"reason": "Because."}).url.startswith("/accounts/login/")
    assert not Intervention.objects.exists()


def test_nobody_takes_a_step_about_themselves(manager, client):
    for address in routes(manager):
        assert client.post(address, {"reason": "Because."}).status_code == 404
    assert "This is you." in client.get(at("annotator", manager)).text


def test_a_person_of_another_project_is_not_found(project, client):
    stranger = cast.person(cast.study())
    args = [project.public_id, stranger.user.public_id]
    assert client.get(reverse("annotator", args=args)).status_code == 404
    assert client.post(reverse("intervene", args=[*args, "pause"])).status_code == 404


def test_there_is_no_other_step(bo, client):
    assert client.get(at("intervene", bo, "flag")).status_code == 404
    assert client.post(at("intervene", bo, "delete"), {"reason": "Because."}).status_code == 404


def test_the_page_shows_the_answers_beside_those_of_the_others(bo, client):
    context = client.get(at("annotator", bo)).context
    assert context["figures"].judgments == 3
    assert context["figures"].agreement == 0
    [line, *_] = context["lines"]
    assert line.answered.own.label == 0
    assert [(each.answer, len(each.people)) for each in line.voices] == [("Same meaning", 4)]


def test_a_newcomer_has_a_page_too(project, client):
    text = client.get(at("annotator", cast.person(project))).text
    assert "No judgment yet." in text
    assert "Nothing had to be done." in text


def test_the_page_costs_the_same_for_more_answers(project, client, django_assert_num_queries):
    bo = cast.person(project)
    cast.pairs(project, 2)
    cast.judge_all(bo, 0)
    address = at("annotator", bo)
    with CaptureQueriesContext(connection) as captured:
        client.get(address)
    cast.pairs(project, 6)
    for person in (bo, cast.person(project), cast.person(project)):
        cast.judge_all(person, 1)
    with django_assert_num_queries(len(captured)):
        client.get(address)


@pytest.mark.parametrize("step", ["warn", "pause", "hold_out"])
def test_a_step_is_asked_about_and_then_on_record(bo, manager, client, step):
    address = at("intervene", bo, step)
    assert "What will happen" in client.get(address).text
    assert not Intervention.objects.exists()

    reply = client.post(address, {"reason": "Please read\r\nslowly."})

    assert reply.url == at("annotator", bo)
    made = Intervention.objects.get()
    assert (made.kind, made.by, made.membership) == (step, manager.user, bo)
    assert made.reason == "Please read\nslowly."
    assert "Please read\nslowly." in client.get(at("annotator", bo)).text


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_without_a_fit_reason_nothing_happens(bo, client, reason):
    reply = client.post(at("intervene", bo, "pause"), {"reason": reason})
    assert reply.status_code == 422
    assert reply.context["form"].errors["reason"]
    assert not Intervention.objects.exists()


def test_a_refusal_is_said_in_words(bo, manager, client):
    interventions.pause(bo, by=manager.user, reason="Wait.")
    reply = client.post(at("intervene", bo, "pause"), {"reason": "Wait."})
    assert reply.status_code == 422
    assert "paused already" in reply.text


def test_who_was_paused_goes_on(bo, manager, client):
    interventions.pause(bo, by=manager.user, reason="Wait.")
    client.post(at("intervene", bo, "resume"), {"reason": "Welcome back."})
    bo.refresh_from_db()
    assert bo.paused_at is None


def test_flags_are_settled_without_a_pause(bo, client):
    Intervention.objects.create(membership=bo, kind="flag", reason="Too fast.")
    assert "Too fast." in client.get(at("annotator", bo)).text
    client.post(at("intervene", bo, "resume"), {"reason": "A slow reader’s phone."})
    assert client.get(at("annotator", bo)).context["figures"].flags == ()


def test_holding_out_says_how_much_it_touches_and_can_be_taken_back(bo, client):
    text = client.get(at("intervene", bo, "hold_out")).text
    assert "3 answers count nowhere any more" in text
    assert "3 decided pairs open again." in text

    client.post(at("intervene", bo, "hold_out"), {"reason": "Clicked at random."})
    assert not Consensus.objects.exists()
    back = client.get(at("intervene", bo, "reinstate")).text
    assert "3 answers count again." in back
    assert "3 questions that were asked in their place are withdrawn." in back

    client.post(at("intervene", bo, "reinstate"), {"reason": "It was a fault of the page."})
    assert Consensus.objects.count() == 3
    assert not Judgment.objects.filter(held_out__isnull=False).exists()


def test_two_accounts_are_found_marked_and_separated(project, bo, manager, client):
    User.objects.filter(pk=bo.user_id).update(username="bo")
    other = cast.person(project)
    User.objects.filter(pk=other.user_id).update(username="bo-again", last_name="Bo")
    address = at("same_person", bo)
    assert [
        each.user.username for each in client.get(address, {"q": "again"}).context["found"]
    ] == ["bo-again"]
    assert client.get(address, {"q": "bo"}).context["found"] == [other]

    reply = client.post(address, {"other": other.user.public_id}, follow=True)
    assert "they never share a pair" in reply.text
    assert [each.user_id for each in reply.context["one"].members] == [other.user_id]
    assert set(LogEntry.objects.values_list("object_id", "user")) == {
        (str(bo.user_id), manager.user_id),
        (str(other.user_id), manager.user_id),
    }

    client.post(at("separate", bo))
    assert not User.objects.filter(main_account__isnull=False).exists()


def test_pairs_that_both_have_answered_are_counted(project, bo, client):
    other = Membership.objects.filter(project=project, user__judgments__label=1).first()
    reply = client.post(at("same_person", bo), {"other": other.user.public_id}, follow=True)
    assert "Both have answered 3 pairs already." in reply.text


def test_only_another_member_can_be_the_same_person(project, bo, client):
    stranger = cast.person(cast.study())
    for other in (bo.user.public_id, stranger.user.public_id, uuid.uuid4(), "nonsense", ""):
        assert client.post(at("same_person", bo), {"other": other}).status_code == 404
    assert not User.objects.filter(main_account__isnull=False).exists()
