"""An answer among the last ten is changed: nothing else moves, and nothing is told."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Correction, Judgment, SentencePair, Translation
from annotation.pairs.services import pair_exclusions
from annotation.work import answers
from annotation.work.contract import Tally
from tests.annotation import make, translating
from tests.annotation.pages import HTMX, page, signed_in, undone
from tests.annotation.small_study import study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


@pytest.fixture
def project():
    return study(4)[0]


@pytest.fixture
def alice(project):
    return make.person(project)


@pytest.fixture
def client(alice):
    return signed_in(alice.user)


@pytest.fixture
def judged(alice):
    """Her first answer, of three."""
    first = make.judge_next(alice, 1)
    make.judge_next(alice, 1)
    make.judge_next(alice, 1)
    return first


def open_for_change(client, project, item, kind="judge"):
    return client.post(page("undo", project, kind), {"answer": item.public_id}, headers=HTMX)


def test_it_comes_next_with_the_former_answer_marked_and_is_replaced(
    client, project, alice, judged
):
    address = page("work", project, "judge")
    held = client.get(address).context["item"]
    shown = open_for_change(client, project, judged.item)
    assert shown.context["item"].id == judged.item.public_id
    assert 'value="1" class="former"' in shown.text
    sent = {"item": judged.item.public_id, "label": 0, "seconds": 2, "change": 1}
    reply = client.post(address, sent, headers=HTMX)
    assert reply.context["item"] == held
    assert "Saved: Different meaning" in reply.text
    stored = Judgment.objects.get(pk=judged.pk)
    assert (stored.label, stored.serial) == (0, 1)
    assert stored.submitted_at > judged.submitted_at
    assert reply.context["tally"].total == 3
    again = client.post(address, sent, headers=HTMX)
    assert again.status_code == 200
    assert Judgment.objects.get(pk=judged.pk).submitted_at == stored.submitted_at


def test_without_scripts_the_address_names_the_answer(client, project, judged):
    recent = client.get(page("recent", project, "judge")).text
    assert f'name="answer" value="{judged.item.public_id}"' in recent
    sent = {"answer": judged.item.public_id}
    shown = client.post(page("undo", project, "judge"), sent, follow=True)
    assert shown.context["item"].id == judged.item.public_id
    assert 'name="change"' in shown.text
    sent = {"item": judged.item.public_id, "label": 0, "change": 1}
    client.post(page("work", project, "judge"), sent)
    assert Judgment.objects.get(pk=judged.pk).label == 0


def test_undo_leaves_it_as_it_was(client, project, judged):
    held = client.get(page("work", project, "judge")).context["item"]
    sent = {"item": judged.item.public_id, "change": 1}
    reply = client.post(page("undo", project, "judge"), sent, headers=HTMX)
    assert reply.context["item"] == held
    assert Judgment.objects.get(pk=judged.pk).label == 1


def test_why_it_can_no_longer_be_changed_is_never_told(client, project, judged):
    def decide():
        for _ in range(4):
            make.judge_all(make.person(project), 1)

    def exclude():
        pair = SentencePair.objects.get(pk=judged.item_id)
        manager = make.person(project, role="manager").user
        pair_exclusions.exclude(pair, by=manager, reason="other", note="Odd.")

    texts = []
    for happens in (decide, exclude):
        with undone():
            happens()
            reply = open_for_change(client, project, judged.item)
            assert reply.status_code == 409
            texts.append(reply.context["outcome"].notice)
            sent = {"item": judged.item.public_id, "label": 0, "change": 1}
            assert (
                client.post(page("work", project, "judge"), sent, headers=HTMX).status_code == 409
            )
            assert Judgment.objects.get(pk=judged.pk).label == 1
    said = "Your answer to this pair can no longer be changed."
    assert texts == [said, said]


def test_an_answer_of_another_person_or_before_the_last_ten_is_none(client, project, alice, judged):
    make.pairs(project, 9)
    make.judge_all(alice, 1)
    bob = make.person(project)
    make.judge_next(bob, 1)
    others = Judgment.objects.get(annotator=alice.user, serial=13)
    for member, slot in ((alice, judged), (bob, others)):
        reply = open_for_change(signed_in(member.user), project, slot.item)
        assert reply.status_code == 409
    shown = client.get(page("work", project, "judge"), {"change": judged.item.public_id})
    assert not shown.context["former"]


def test_a_change_can_decide_a_pair():
    _project, [alice, *others] = study(1, people=4, decides_early=True)
    judged = make.judge_next(alice, 1)
    for member in others:
        make.judge_next(member, 0)
    assert not Consensus.objects.exists()
    answers.change(alice.duty("judge"), item=judged.item.public_id, label=0)
    assert Consensus.objects.get().label == 0


def test_what_followed_from_a_correction_follows_from_its_change(project, alice):
    make.candidates(project, [("One sees two.", "Two sees one.")])
    slot = make.correct_next(alice, "accept")
    pairs = project.pairs.filter(candidate=slot.item.candidate)
    for action, number in (("reject", 0), ("accept", 1)):
        answers.change(alice.duty("correct"), item=slot.item.public_id, action=action)
        assert Correction.objects.get(pk=slot.pk).action == action
        assert pairs.count() == number


def test_a_change_that_is_refused_stays_in_view_with_its_text():
    project = translating.study(people=1)
    [translator] = translating.people(project)
    slot = translating.translate_next(translator, "Ada traf Bo.")
    client, address = signed_in(translator.user), page("work", project, "translate")
    sent = {"item": slot.item.public_id, "action": "translate", "text": "n/a", "change": 1}
    reply = client.post(address, sent, headers=HTMX)
    assert reply.status_code == 422
    assert 'name="change"' in reply.text
    assert "n/a</textarea>" in reply.text
    client.post(address, sent | {"text": "Ada traf Bo in Rom."}, headers=HTMX)
    assert Translation.objects.get(pk=slot.pk).text == "Ada traf Bo in Rom."


def test_the_answers_of_today_are_counted_right_after_a_change_of_yesterday(alice, judged):
    rows = Judgment.objects.filter(annotator=alice.user)
    yesterday = timezone.now() - timedelta(days=1)
    rows.filter(serial__gt=1).update(submitted_at=yesterday)
    rows.filter(serial=1).update(submitted_at=yesterday + timedelta(seconds=1))
    assert Tally.of_duty(alice.duty("judge")) == Tally(3, 0)
    assert make.turn(alice).tally == Tally(3, 0)
