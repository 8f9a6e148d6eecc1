"""Claiming, answering and taking back judgments."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Consensus, Judgment
from annotation.services import judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def answer(member, label=1):
    slot = judgments.claim(member)
    return judgments.submit(member, pair_public_id=slot.pair.public_id, label=label, seconds=2.0)


def test_a_person_is_given_each_pair_once_in_order():
    project = cast.study()
    made = cast.pairs(project, 3)
    alice = cast.person(project)
    given = [answer(alice).pair.candidate_id for _ in made]
    assert given == [candidate.pk for candidate in made]
    assert judgments.claim(alice) is None


def test_asking_again_gives_the_item_that_is_already_held():
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    assert judgments.claim(alice) == judgments.claim(alice)


def test_a_pair_takes_five_judgments_and_no_sixth():
    project = cast.study()
    cast.pairs(project, 1)
    assert [cast.judge_all(cast.person(project), 1) for _ in range(6)] == [1, 1, 1, 1, 1, 0]


def test_the_fifth_judgment_decides_the_pair():
    project = cast.study()
    cast.pairs(project, 1)
    for label in (1, 1, 0, 1, 1):
        assert not Consensus.objects.exists()
        answer(cast.person(project), label)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([1, 4], 1, True)


def test_three_of_five_is_a_majority_that_is_not_kept():
    project = cast.study()
    cast.pairs(project, 1)
    for label in (1, 1, 0, 1, 0):
        answer(cast.person(project), label)
    decided = Consensus.objects.get()
    assert (decided.label, decided.kept) == (1, False)


def test_the_graded_scale_counts_two_and_three_as_paraphrase():
    project = cast.study(protocol="parade")
    cast.pairs(project, 1)
    for label in (3, 2, 0):
        answer(cast.person(project), label)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([1, 0, 1, 1], 1, True)


def test_the_same_answer_twice_is_one_row_and_the_same_reply():
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    first = answer(alice)
    again = judgments.submit(alice, pair_public_id=first.pair.public_id, label=1, seconds=9.0)
    assert again == first
    assert again.seconds == 2.0


def test_another_answer_to_the_same_pair_is_refused():
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    first = answer(alice, 1)
    with pytest.raises(AlreadyAnswered):
        judgments.submit(alice, pair_public_id=first.pair.public_id, label=0)
    first.refresh_from_db()
    assert first.label == 1


@pytest.mark.parametrize("label", [-1, 2, 10**30])
def test_a_label_outside_the_scale_is_refused(label):
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    slot = judgments.claim(alice)
    with pytest.raises(Refused):
        judgments.submit(alice, pair_public_id=slot.pair.public_id, label=label)


def test_an_answer_outside_the_scale_leaves_the_pair_with_the_person():
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    pair = judgments.claim(alice).pair
    turn, refusal = judgments.answer(alice, pair=pair.public_id, label=2)
    assert isinstance(refusal, Refused)
    assert turn.held.public_id == pair.public_id


def test_nobody_answers_a_pair_that_they_do_not_hold():
    project = cast.study()
    cast.pairs(project, 1)
    slot = judgments.claim(cast.person(project))
    with pytest.raises(NotHeld):
        judgments.submit(cast.person(project), pair_public_id=slot.pair.public_id, label=1)
    with pytest.raises(NotHeld):
        judgments.submit(cast.person(project), pair_public_id=uuid.uuid4(), label=1)


def test_a_pair_of_another_project_cannot_be_answered():
    project, other = cast.study(), cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    slot = judgments.claim(alice)
    elsewhere = cast.person(other)
    with pytest.raises(NotHeld):
        judgments.submit(elsewhere, pair_public_id=slot.pair.public_id, label=1)


def test_an_expired_lease_goes_to_somebody_else():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 1)
    alice, bob = cast.person(project), cast.person(project)
    slot = judgments.claim(alice)
    assert judgments.claim(bob) is None
    Judgment.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert judgments.claim(bob) == slot
    with pytest.raises(NotHeld):
        judgments.submit(alice, pair_public_id=slot.pair.public_id, label=1)


def test_an_answer_after_the_lease_counts_when_nobody_took_the_item():
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    slot = judgments.claim(alice)
    Judgment.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    judgments.submit(alice, pair_public_id=slot.pair.public_id, label=0)
    assert Judgment.objects.get(annotator=alice.user).label == 0


def test_what_comes_back_to_the_queue_is_given_to_those_who_have_passed_it():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 2)
    alice, bob = cast.person(project), cast.person(project)
    left_lying = judgments.claim(alice)
    answer(bob)
    assert judgments.claim(bob) is None
    Judgment.objects.filter(pk=left_lying.pk).update(lease_until=timezone.now())
    assert judgments.claim(bob) == left_lying


def test_undo_opens_the_last_answer_again():
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    first = answer(alice)
    judgments.claim(alice)
    assert judgments.undo(alice) == first
    assert judgments.claim(alice) == first
    assert answer(alice, 0).label == 0
    assert judgments.claim(alice).pair != first.pair


def test_undo_ends_where_a_pair_is_decided():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 1)
    alice = cast.person(project)
    answer(alice)
    assert judgments.undo(alice) is None
    assert Judgment.objects.get().label == 1


def test_there_is_nothing_to_undo_at_first():
    project = cast.study()
    assert judgments.undo(cast.person(project)) is None


def test_a_closed_project_and_a_member_without_leave_to_judge_are_given_nothing():
    closed, project = cast.study(is_open=False), cast.study()
    cast.pairs(closed, 1)
    cast.pairs(project, 1)
    assert judgments.claim(cast.person(closed)) is None
    assert judgments.claim(cast.person(project, may_judge=False)) is None


@pytest.mark.parametrize("done", [0, 40])
def test_a_turn_costs_the_same_however_much_was_done(done, django_assert_num_queries):
    project = cast.study()
    cast.pairs(project, done + 2)
    alice = cast.person(project)
    for _ in range(done):
        answer(alice)
    held = judgments.claim(alice)
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 13):
        judgments.answer(alice, pair=held.pair.public_id, label=1)
