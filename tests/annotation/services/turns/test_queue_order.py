"""Which slot comes next: slots of new pairs, depth and breadth, what came back, what is urgent."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation import queue_keys
from annotation.models import Consensus, Judgment, Membership, SentencePair
from annotation.services import judgments, new_slots, queues
from tests.annotation import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


def reread(member):
    """The membership as the next request reads it."""
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def slots(project):
    rows = Judgment.objects.filter(project=project).order_by("pk")
    return list(rows.values_list("pair", "slot", "queue_key", "label", "annotator"))


def test_in_depth_all_slots_of_a_new_pair_stand_together_in_the_queue(subtests):
    for per_pair in (1, 5):
        with subtests.test(per_pair=per_pair):
            project = cast.study(judgments_per_pair=per_pair, consensus_min_votes=1)
            cast.pairs(project, 3)
            assert slots(project) == [
                (pair.pk, slot, queue_keys.in_depth(pair.pk, slot), None, None)
                for pair in project.pairs.order_by("pk")
                for slot in range(1, per_pair + 1)
            ]
    assert list(new_slots.make(cast.study(), [])) == []


def test_in_breadth_the_first_slot_of_each_new_pair_stands_alone(monkeypatch):
    now = datetime(2026, 11, 21, 12, 30, 1, 250, tzinfo=UTC)
    monkeypatch.setattr(new_slots.timezone, "now", lambda: now)
    project = cast.study(order="breadth")
    cast.pairs(project, 3)
    pairs = project.pairs.order_by("pk").values_list("pk", flat=True)
    assert slots(project) == [
        (
            pair,
            slot,
            queue_keys.in_breadth(now, pair, ahead=ahead) if slot == 1 else None,
            None,
            None,
        )
        for ahead, pair in enumerate(pairs)
        for slot in range(1, 6)
    ]


@pytest.fixture
def breadth():
    return cast.study(order="breadth", judgments_per_pair=3, consensus_min_votes=2)


def queue(project):
    waiting = Judgment.objects.filter(project=project, label=None, queue_key__isnull=False)
    return list(waiting.order_by("queue_key").values_list("pair__candidate", "slot"))


def test_in_breadth_each_pair_is_judged_once_before_any_is_judged_twice(breadth):
    first, second, third = made = cast.pairs(breadth, 3)
    given = [cast.judge_next(cast.person(breadth)).pair.candidate for _ in range(4)]
    assert given == [*made, first]
    assert queue(breadth) == [(second.pk, 2), (third.pk, 2), (first.pk, 3)]
    for _ in range(3):
        cast.judge_all(cast.person(breadth), 1)
    assert set(Consensus.objects.values_list("label", "pair__slots")) == {(1, 3)}
    assert Consensus.objects.count() == 3


def test_in_breadth_what_enters_is_ahead_of_those_at_the_end(breadth):
    cast.pairs(breadth, 2)
    alice, bob = cast.person(breadth), cast.person(breadth)
    assert judgments.claim(alice)
    assert cast.judge_all(bob, 1) == 1
    entered = cast.judge_next(alice).pair
    assert judgments.claim(bob).pair == entered


def test_in_breadth_an_answer_given_again_brings_in_no_further_slot(breadth):
    [candidate] = cast.pairs(breadth, 1)
    alice = cast.person(breadth)
    for _ in range(2):
        cast.judge_next(alice)
        assert queue(breadth) == [(candidate.pk, 2)]
        judgments.undo(alice)


def test_in_breadth_a_pair_that_was_set_aside_stays_out_until_it_is_put_back(breadth):
    [candidate] = cast.pairs(breadth, 1)
    alice = cast.person(breadth)
    judgments.claim(alice)
    SentencePair.objects.update(set_aside_at=timezone.now())
    cast.judge_next(alice)
    assert queue(breadth) == []
    queues.enter(breadth, [SentencePair.objects.get()])
    assert queue(breadth) == [(candidate.pk, 2)]


def test_in_breadth_an_urgent_pair_stays_before_the_others_in_each_round(breadth):
    first, second = cast.pairs(breadth, 2)
    for priority, expected in ((1, [(first.pk, 2), (second.pk, 1)]), (-1, [(second.pk, 1)])):
        SentencePair.objects.filter(candidate=first).update(priority=priority)
        cast.judge_next(cast.person(breadth))
        assert queue(breadth)[: len(expected)] == expected
    lowered = Judgment.objects.get(pair__candidate=first, slot=3)
    assert lowered.queue_key > queue_keys.BAND


@pytest.fixture
def depth():
    return cast.study(**ONE_EACH)


@pytest.fixture
def at_the_end(depth):
    """A member who has looked ahead and behind and found nothing; two pairs that others hold."""
    cast.pairs(depth, 2)
    held = [judgments.claim(cast.person(depth)) for _ in range(2)]
    bob = cast.person(depth)
    assert judgments.claim(bob) is None
    return bob, held


def test_a_person_who_found_nothing_is_at_the_end_of_the_queue_and_finds_what_comes_back(
    at_the_end,
):
    bob, [first, second] = at_the_end
    end = second.queue_key | (queue_keys.KEYS_PER_PAIR - 1)
    assert (bob.judgment_place, reread(bob).judgment_place) == (end, end)
    assert reread(bob).looked_behind_at == bob.looked_behind_at is not None
    Judgment.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    assert judgments.claim(reread(bob)) == first


def test_what_lies_behind_without_having_been_claimed_is_found_after_a_minute(at_the_end):
    bob, [first, _] = at_the_end
    Judgment.objects.filter(pk=first.pk).update(annotator=None, claimed_at=None)
    for seconds, found in ((50, None), (70, first)):
        earlier = timezone.now() - timedelta(seconds=seconds)
        Membership.objects.filter(pk=bob.pk).update(looked_behind_at=earlier)
        assert judgments.claim(reread(bob)) == found


def test_a_look_behind_that_found_something_is_made_again_at_once(depth):
    cast.pairs(depth, 4)
    alice = cast.person(depth)
    place = Judgment.objects.latest("queue_key").queue_key
    Membership.objects.filter(pk=alice.pk).update(judgment_place=place)
    assert cast.judge_all(reread(alice), 1) == 4


def test_a_key_calls_back_those_beyond_it_and_no_one_else(depth):
    cast.pairs(depth, 3)
    alice, newcomer = cast.person(depth), cast.person(depth)
    cast.judge_next(alice)
    place = reread(alice).judgment_place
    queues.call_back(depth, queues.JUDGMENT_PLACE, [place + 1, None])
    assert reread(alice).judgment_place == place
    last = SentencePair.objects.latest("pk")
    slot = last.judgments.get()
    slot.queue_key -= queue_keys.BAND
    slot.save()
    queues.call_back(depth, queues.JUDGMENT_PLACE, [slot.queue_key])
    assert reread(alice).judgment_place == slot.queue_key - 1
    assert judgments.claim(reread(newcomer)).pair == last
    judgments.submit(newcomer, pair_public_id=last.public_id, label=1)
    assert cast.judge_all(reread(alice), 1) == 1


def test_slots_of_pairs_that_are_put_back_get_their_keys_again(depth):
    cast.pairs(depth, 2)
    alice = cast.person(depth)
    first = SentencePair.objects.earliest("pk")
    first.judgments.update(queue_key=None)
    cast.judge_all(alice, 1)
    queues.enter(depth, [first])
    assert judgments.claim(reread(alice)).pair == first
