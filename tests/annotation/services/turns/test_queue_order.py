"""Which slot comes next: slots of new pairs, depth and breadth, what came back, what is urgent."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Judgment, Membership, SentencePair
from annotation.queue_keys import BAND, KEYS_PER_PAIR, in_breadth, in_depth
from annotation.services import judgments, new_slots, queues
from tests.annotation import cast
from tests.annotation.services.small_study import ONE_EACH, judge, reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def test_new_pairs_enter_the_queue_with_all_slots_in_depth_and_with_one_in_breadth(
    subtests, monkeypatch
):
    now = datetime(2026, 11, 21, 12, 30, 1, 250, tzinfo=UTC)
    monkeypatch.setattr(new_slots.timezone, "now", lambda: now)
    for order, per_pair in (("depth", 5), ("depth", 1), ("breadth", 5)):
        with subtests.test(order=order, per_pair=per_pair):
            project, _ = study(3, order=order, judgments_per_pair=per_pair, consensus_min_votes=1)
            pairs = project.pairs.order_by("pk").values_list("pk", flat=True)
            keys = {
                "depth": lambda ahead, pair, slot: in_depth(pair, slot),
                "breadth": lambda ahead, pair, slot: (
                    in_breadth(now, pair, ahead=ahead) if slot == 1 else None
                ),
            }[order]
            rows = Judgment.objects.filter(project=project, label=None, annotator=None)
            assert list(rows.order_by("pk").values_list("pair", "slot", "queue_key")) == [
                (pair, slot, keys(ahead, pair, slot))
                for ahead, pair in enumerate(pairs)
                for slot in range(1, per_pair + 1)
            ]
    assert list(new_slots.make(project, [])) == []


@pytest.fixture
def breadth():
    return cast.study(order="breadth", judgments_per_pair=3, consensus_min_votes=2)


def queue(project):
    waiting = Judgment.objects.filter(project=project, label=None, queue_key__isnull=False)
    return list(waiting.order_by("queue_key").values_list("pair__candidate", "slot"))


def test_in_breadth_each_pair_is_judged_once_before_any_is_judged_twice(breadth):
    first, second, third = cast.pairs(breadth, 3)
    judge(breadth, 1, 1, 1, 1)
    assert queue(breadth) == [(second.pk, 2), (third.pk, 2), (first.pk, 3)]
    given = Judgment.objects.exclude(label=None).order_by("submitted_at")
    expected = [first.pk, second.pk, third.pk, first.pk]
    assert list(given.values_list("pair__candidate", flat=True)) == expected
    for _ in range(3):
        cast.judge_all(cast.person(breadth), 1)
    assert list(Consensus.objects.values_list("tally", flat=True)) == [[0, 3]] * 3


def test_in_breadth_what_enters_is_ahead_of_those_at_the_end(breadth):
    cast.pairs(breadth, 2)
    alice, bob = cast.person(breadth), cast.person(breadth)
    held = judgments.claim(alice)
    assert cast.judge_all(bob, 1) == 1
    for _ in range(2):  # taken back and given again, the answer brings in no third slot
        cast.judge_next(alice)
        assert queue(breadth)[-1] == (held.pair.candidate_id, 2)
        judgments.undo(alice)
    assert len(queue(breadth)) == 3
    assert judgments.claim(bob).pair == held.pair


def test_in_breadth_a_pair_that_was_set_aside_stays_out_until_it_is_put_back(breadth):
    [candidate] = cast.pairs(breadth, 1)
    alice = cast.person(breadth)
    judgments.claim(alice)
    SentencePair.objects.update(set_aside_at=timezone.now())
    cast.judge_next(alice)
    assert queue(breadth) == []
    queues.enter(breadth, [SentencePair.objects.get()])
    assert queue(breadth) == [(candidate.pk, 2)]


def test_in_breadth_a_pair_keeps_its_priority_in_each_round(breadth):
    first, second = cast.pairs(breadth, 2)
    SentencePair.objects.filter(candidate=first).update(priority=1)
    judge(breadth, 1)
    assert queue(breadth) == [(first.pk, 2), (second.pk, 1)]
    SentencePair.objects.filter(candidate=first).update(priority=-1)
    judge(breadth, 1)
    assert queue(breadth) == [(second.pk, 1), (first.pk, 3)]


@pytest.fixture
def at_the_end():
    """A member who has looked ahead and behind and found nothing; two pairs that others hold."""
    _, [bob, *holders] = study(2, people=3, **ONE_EACH)
    held = [judgments.claim(holder) for holder in holders]
    assert judgments.claim(bob) is None
    return bob, held


def test_a_person_who_found_nothing_is_at_the_end_and_finds_what_comes_back(at_the_end):
    bob, [first, second] = at_the_end
    end = second.queue_key | (KEYS_PER_PAIR - 1)
    assert (bob.judgment_place, reread(bob).judgment_place) == (end, end)
    assert reread(bob).looked_behind_at == bob.looked_behind_at is not None
    Judgment.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    assert judgments.claim(reread(bob)) == first


def test_what_lies_behind_without_having_been_claimed_is_found_after_a_minute(at_the_end):
    bob, [first, _] = at_the_end
    Judgment.objects.filter(pk=first.pk).update(annotator=None, claimed_at=None)
    for seconds, found in ((30, None), (90, first)):
        earlier = timezone.now() - timedelta(seconds=seconds)
        Membership.objects.filter(pk=bob.pk).update(looked_behind_at=earlier)
        assert judgments.claim(reread(bob)) == found


def test_a_look_behind_that_found_something_is_made_again_at_once():
    _, [alice] = study(4, people=1, **ONE_EACH)
    place = Judgment.objects.latest("queue_key").queue_key
    Membership.objects.filter(pk=alice.pk).update(judgment_place=place)
    assert cast.judge_all(reread(alice), 1) == 4


def test_slots_that_enter_the_queue_call_back_those_beyond_them_and_no_one_else():
    project, [alice, bob] = study(3, people=2, **ONE_EACH)
    first, _, last = project.pairs.order_by("pk")
    slot = last.judgments.get()
    first.judgments.update(queue_key=None)
    cast.judge_next(alice)
    place = reread(alice).judgment_place
    queues.call_back(project, queues.JUDGMENT_PLACE, [place + 1, None])
    assert reread(alice).judgment_place == place
    last.judgments.update(queue_key=slot.queue_key - BAND)
    queues.call_back(project, queues.JUDGMENT_PLACE, [slot.queue_key - BAND])
    assert reread(alice).judgment_place == slot.queue_key - BAND - 1
    assert judgments.claim(reread(alice)) == slot
    queues.enter(project, [first])
    assert judgments.claim(reread(bob)).pair == first
