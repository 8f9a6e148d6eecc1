"""The people of a study: their figures for those who read, steps for those who manage."""

import uuid

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from accounts.models import User
from annotation.models import Consensus, Intervention, Judgment, Membership
from annotation.services import interventions
from tests.annotation import cast, judged
from tests.annotation.views.pages import client_of, page, signed_in, statements, undone

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def study(module_db):
    return cast.study()


@pytest.fixture(scope="module")
def judges(study):
    """Bo, the first, is alone on three of four pairs; the last judged one pair fewer."""
    people = judged.people(study, 5)
    judged.pairs(study, [[0, 1, 1, 1, 1]] * 3 + [[1, 1, 1, 1]], by=people)
    return people


@pytest.fixture
def bo(judges):
    return Membership.objects.select_related("project", "user").get(pk=judges[0].pk)


@pytest.fixture(scope="module")
def boss(study):
    return cast.person(study, role=Membership.Role.MANAGER)


@pytest.fixture(scope="module")
def client(boss):
    return signed_in(boss.user)


@pytest.fixture
def annotators(study, client, judges):
    return lambda **query: client.get(page("annotators", study), query)


def listed(reply):
    return [line.person.membership for line in reply.context["lines"]]


def at(name, person, *more):
    return page(name, person.project, person.user.public_id, *more)


def test_everybody_with_answers_is_listed_in_the_order_that_was_asked_for(
    annotators, study, judges
):
    cast.person(study)
    assert set(listed(annotators())) == set(judges)
    cast.candidates(study, [("Ada met Bo.", "Bo met Ada.")])
    cast.correct_next(corrector := cast.person(study))
    everybody = {*judges, corrector}
    by_name = sorted(everybody, key=lambda person: person.user.username)
    assert listed(annotators(order="name")) == by_name
    assert listed(annotators(order="name", down="1")) == by_name[::-1]
    for order in ("seconds", "agreement", "last_seen"):
        up, down = listed(annotators(order=order)), listed(annotators(order=order, down="1"))
        assert up[0] == judges[0], order
        assert [person for person in down if person != corrector][-1] == judges[0], order
        assert set(down) == set(up) == everybody
    for down in ({}, {"down": "1"}):  # what is unknown comes last
        assert listed(annotators(order="agreement", **down))[-1] == corrector
    reply = annotators(order="judgments")
    assert listed(reply)[:2] == [corrector, judges[4]]
    [heading] = [each for each in reply.context["headings"] if each.sorted]
    expected = ("judgments", "ascending", "?order=judgments&down=1")
    assert (heading.key, heading.sorted, heading.address) == expected
    assert reply.text.count("aria-sort") == 1


def test_those_in_a_state_are_listed_with_the_reason(annotators, judges):
    for state, kind in (("flagged", "flag"), ("paused", "pause"), ("held_out", "hold_out")):
        with undone():
            Intervention.objects.create(membership=judges[1], kind=kind, reason="Five & more.")
            if state == "paused":
                Membership.objects.filter(pk=judges[1].pk).update(paused_at=timezone.now())
            reply = annotators(state=state)
            assert listed(reply) == [judges[1]]
            if state == "flagged":
                assert "Five &amp; more." in reply.text


def test_before_anybody_has_answered_managers_are_led_to_the_people(project):
    manager = client_of(project)
    people = f'<a href="{page("people", project)}">People and invitations</a>'
    text = manager.get(page("annotators", project)).text
    assert "Nobody has answered anything yet." in text
    assert people in text
    text = manager.get(page("annotators", project), {"state": "flagged"}).text
    assert "Nobody is in this list." in text
    assert people not in text


def test_an_annotator_has_a_page_with_answers_beside_those_of_the_others(study, bo, client):
    reply = client.get(at("annotator", bo))
    figures = reply.context["figures"]
    assert (figures.judgments, figures.agreement) == (4, 0.25)
    split = [line for line in reply.context["lines"] if line.answered.own.label == 0]
    assert [(each.answer, len(each.people)) for each in split[0].voices] == [("Same meaning", 4)]
    assert len(split) == 3
    assert at("person", bo) in reply.text
    assert "Pause…" in reply.text
    assert "Pause…" not in client_of(study, "researcher").get(at("annotator", bo)).text
    text = client.get(at("annotator", cast.person(study))).text
    assert "No judgment yet." in text
    assert "Nothing had to be done." in text
    before = statements(client, at("annotator", bo))
    judged.pairs(study, [[1] * 5] * 3, by=[bo, *judged.people(study, 4)])
    assert statements(client, at("annotator", bo)) == before


def test_a_step_is_asked_about_and_then_on_record_with_its_reason(bo, boss, client):
    for step in ("warn", "pause", "hold_out"):
        with undone():
            address = at("intervene", bo, step)
            assert "What will happen" in client.get(address).text
            for reason in ("", "  ", "x" * 501):
                reply = client.post(address, {"reason": reason})
                assert reply.status_code == 422
                assert reply.context["form"].errors["reason"]
            assert not Intervention.objects.exists()
            reply = client.post(address, {"reason": "Please read\r\nslowly."})
            assert reply.url == at("annotator", bo)
            made = Intervention.objects.get()
            assert (made.kind, made.by, made.membership) == (step, boss.user, bo)
            assert made.reason == "Please read\nslowly."
            assert "Please read\nslowly." in client.get(at("annotator", bo)).text
    for step in ("flag", "delete"):
        assert client.post(at("intervene", bo, step), {"reason": "Odd."}).status_code == 404


def test_a_pause_ends_and_flags_are_settled(bo, boss, client):
    interventions.pause(bo, by=boss.user, reason="Wait.")
    reply = client.post(at("intervene", bo, "pause"), {"reason": "Wait."})
    assert reply.status_code == 422
    assert "paused already" in reply.text
    Intervention.objects.create(membership=bo, kind="flag", reason="Too fast.")
    assert "Too fast." in client.get(at("annotator", bo)).text
    client.post(at("intervene", bo, "resume"), {"reason": "Welcome back."})
    bo.refresh_from_db()
    assert bo.paused_at is None
    assert client.get(at("annotator", bo)).context["figures"].flags == ()


def test_holding_out_says_how_much_it_touches_and_can_be_taken_back(bo, client):
    text = client.get(at("intervene", bo, "hold_out")).text
    assert "4 answers count nowhere any more" in text
    assert "3 decided pairs open again." in text
    client.post(at("intervene", bo, "hold_out"), {"reason": "Clicked at random."})
    assert not Consensus.objects.exists()
    text = client.get(at("intervene", bo, "reinstate")).text
    assert "4 answers count again." in text
    assert "4 questions that were asked in their place are withdrawn." in text
    client.post(at("intervene", bo, "reinstate"), {"reason": "It was a fault of the page."})
    assert Consensus.objects.count() == 3
    assert not Judgment.objects.filter(held_out__isnull=False).exists()


def test_two_accounts_are_found_marked_and_separated(study, bo, boss, client):
    User.objects.filter(pk=bo.user_id).update(username="bo")
    other = cast.person(study)
    User.objects.filter(pk=other.user_id).update(username="bo-again", last_name="Bo")
    address = at("same_person", bo)
    for query in ("again", "bo"):
        assert client.get(address, {"q": query}).context["found"] == [other]
    reply = client.post(address, {"other": other.user.public_id}, follow=True)
    assert "they never share a pair" in reply.text
    assert [each.user_id for each in reply.context["one"].members] == [other.user_id]
    assert set(LogEntry.objects.values_list("object_id", "user")) == {
        (str(user), boss.user_id) for user in (bo.user_id, other.user_id)
    }
    client.post(at("separate", bo))
    assert not User.objects.filter(main_account__isnull=False).exists()


def test_only_another_member_can_be_the_same_person(bo, judges, client):
    address = at("same_person", bo)
    stranger = cast.person(cast.study())
    for other in (bo.user.public_id, stranger.user.public_id, uuid.uuid4(), "nonsense", ""):
        assert client.post(address, {"other": other}).status_code == 404
    assert not User.objects.filter(main_account__isnull=False).exists()
    reply = client.post(address, {"other": judges[1].user.public_id}, follow=True)
    assert "Both have answered 4 pairs already." in reply.text


def test_nobody_takes_a_step_about_themselves(boss, client):
    assert "This is you." in client.get(at("annotator", boss)).text
    steps = [at("intervene", boss, step) for step in ("warn", "pause", "resume", "hold_out")]
    for address in (*steps, at("same_person", boss), at("separate", boss)):
        assert client.post(address, {"reason": "Because."}).status_code == 404
