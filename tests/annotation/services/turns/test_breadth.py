"""Round by round: each pair is judged once before any is judged twice."""

import pytest
from django.utils import timezone

from annotation.models import Consensus, Judgment, SentencePair
from annotation.services import judgments, queues
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study(order="breadth", judgments_per_pair=3, consensus_min_votes=2)


def slots_in_queue(project):
    waiting = Judgment.objects.filter(project=project, label=None, queue_key__isnull=False)
    return list(waiting.order_by("queue_key").values_list("pair__candidate", "slot"))


def test_at_first_each_pair_has_one_slot_in_the_queue_in_the_order_of_pairs(project):
    made = cast.pairs(project, 4)
    assert slots_in_queue(project) == [(candidate.pk, 1) for candidate in made]


def test_nobody_begins_a_pair_again_before_every_pair_was_judged_once(project):
    made = cast.pairs(project, 3)
    given = [cast.judge_next(cast.person(project)).pair.candidate for _ in range(6)]
    assert given == made * 2


def test_an_answer_brings_the_next_slot_of_its_pair_in_at_the_end(project):
    first, second = cast.pairs(project, 2)
    cast.judge_next(cast.person(project))
    assert slots_in_queue(project) == [(second.pk, 1), (first.pk, 2)]


def test_pairs_come_to_their_end(project):
    cast.pairs(project, 4)
    for _ in range(3):
        assert cast.judge_all(cast.person(project), 1) == 4
    assert Consensus.objects.count() == 4


def test_what_enters_is_ahead_of_those_who_have_come_to_the_end(project):
    cast.pairs(project, 2)
    alice, bob = cast.person(project), cast.person(project)
    assert judgments.claim(alice)
    assert cast.judge_all(bob, 1) == 1
    entered = cast.judge_next(alice).pair
    assert judgments.claim(bob).pair == entered


def test_an_answer_taken_back_and_given_again_brings_in_no_third_slot(project):
    [candidate] = cast.pairs(project, 1)
    alice = cast.person(project)
    cast.judge_next(alice)
    judgments.undo(alice)
    cast.judge_next(alice)
    assert slots_in_queue(project) == [(candidate.pk, 2)]


def test_a_pair_that_was_set_aside_stays_out_until_it_is_put_back(project):
    [candidate] = cast.pairs(project, 1)
    alice = cast.person(project)
    judgments.claim(alice)
    pair = SentencePair.objects.get()
    SentencePair.objects.update(set_aside_at=timezone.now())
    cast.judge_next(alice)
    assert slots_in_queue(project) == []
    queues.enter(project, [pair])
    assert slots_in_queue(project) == [(candidate.pk, 2)]


def test_an_urgent_pair_stays_before_the_others_in_each_round(project):
    first, second = cast.pairs(project, 2)
    SentencePair.objects.filter(candidate=first).update(priority=1)
    cast.judge_next(cast.person(project))
    assert slots_in_queue(project) == [(first.pk, 2), (second.pk, 1)]
