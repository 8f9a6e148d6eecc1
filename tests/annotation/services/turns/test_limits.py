"""When a person is given nothing new, and what then becomes of what they hold."""

import pytest
from django.utils import timezone

from annotation.models import Judgment, Membership
from annotation.services import judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def again(member):
    """The membership as the next request reads it."""
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def close(member):
    member.project.is_open = False
    member.project.save()


def pause(member):
    member.paused_at = timezone.now()
    member.save()


def ask_for_consent(member):
    member.project.consent, member.project.consent_changed_at = "Agree.", timezone.now()
    member.project.save()


def ask_for_qualification(member):
    member.project.asks_qualification = True
    member.project.save()


STOPS = [close, pause, ask_for_consent, ask_for_qualification]


@pytest.mark.parametrize("stop", STOPS)
def test_who_is_given_no_work_is_given_nothing_and_their_answer_is_stored(stop):
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    held = judgments.claim(alice)
    stop(alice)
    turn, refusal = judgments.answer(again(alice), pair=held.pair.public_id, label=1)
    assert (turn.held, refusal) == (None, None)
    assert Judgment.objects.get(annotator=alice.user_id).label == 1
    assert judgments.claim(again(alice)) is None


@pytest.mark.parametrize("stop", STOPS)
def test_who_is_given_no_work_undoes_nothing(stop):
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    cast.judge_next(alice)
    stop(alice)
    assert judgments.undo(again(alice)) is None


def test_who_has_given_as_many_as_one_person_may_is_given_no_more():
    project = cast.study(most_judgments=2)
    cast.pairs(project, 4)
    assert cast.judge_all(cast.person(project), 1) == 2


def test_an_answer_taken_back_does_not_count_towards_the_limit():
    project = cast.study(most_judgments=2)
    cast.pairs(project, 4)
    alice = cast.person(project)
    cast.judge_all(alice, 1)
    undone = judgments.undo(alice)
    assert judgments.claim(alice) == undone


def test_what_is_sent_with_an_answer_is_stored_and_sent_again_changes_nothing():
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    pair = judgments.claim(alice).pair.public_id
    for highlighted, seconds in ((True, 3.0), (False, 9.0)):
        _, refusal = judgments.answer(
            alice, pair=pair, label=1, seconds=seconds, highlighted=highlighted
        )
        assert refusal is None
    stored = Judgment.objects.get(annotator=alice.user_id)
    assert (stored.highlighted, stored.seconds) == (True, 3.0)
