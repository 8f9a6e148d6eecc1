"""Which slot comes next: new pairs, depth and breadth, returned slots, priorities."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from annotation.models import Consensus, Duty, Judgment, SentencePair, Slot
from annotation.work import answers, order, queue
from annotation.work.keys import BAND, KEYS_PER_ITEM, in_breadth, in_depth
from tests.annotation import make
from tests.annotation.small_study import ONE_EACH, expire, items, judge, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def test_new_pairs_enter_the_queue_with_all_slots_in_depth_and_with_one_in_breadth(
    subtests, monkeypatch
):
    now = datetime(2026, 11, 21, 12, 30, 1, 250, tzinfo=UTC)
    monkeypatch.setattr(queue.timezone, "now", lambda: now)
    for by, per_pair in (("depth", 5), ("depth", 1), ("breadth", 5)):
        with subtests.test(order=by, per_pair=per_pair):
            project, _ = study(3, order=by, judgments_per_pair=per_pair, consensus_min_votes=1)
            expected = []
            for ahead, pair in enumerate(project.pairs.order_by("pk").values_list("pk", flat=True)):
                keys = [in_depth(pair, slot) for slot in range(1, per_pair + 1)]
                if by == "breadth":
                    keys = [in_breadth(now, pair, ahead=ahead), *[None] * (per_pair - 1)]
                expected += [(pair, slot, key) for slot, key in enumerate(keys, 1)]
            rows = Judgment.objects.filter(project=project, submitted_at=None, annotator=None)
            stored = rows.order_by("pk").values_list("item", "number", "queue_key")
            assert list(stored) == expected
    before = Slot.objects.count()
    queue.open_slots(project, "judge", [], per_item=5)
    assert Slot.objects.count() == before


@pytest.fixture
def breadth():
    return make.study(order="breadth", judgments_per_pair=3, consensus_min_votes=2)


def waiting(project):
    slots = Judgment.objects.filter(project=project, submitted_at=None, queue_key__isnull=False)
    return list(slots.order_by("queue_key").values_list("item__candidate", "number"))


def test_in_breadth_each_pair_is_judged_once_before_any_is_judged_twice(breadth):
    first, second, third = make.pairs(breadth, 3)
    judge(breadth, 1, 1, 1, 1)
    assert waiting(breadth) == [(second.pk, 2), (third.pk, 2), (first.pk, 3)]
    given = Judgment.objects.exclude(submitted_at=None).order_by("submitted_at")
    expected = [first.pk, second.pk, third.pk, first.pk]
    assert list(given.values_list("item__candidate", flat=True)) == expected
    for _ in range(3):
        make.judge_all(make.person(breadth), 1)
    assert list(Consensus.objects.values_list("tally", flat=True)) == [[0, 3]] * 3


def test_in_breadth_what_enters_is_ahead_of_those_at_the_end(breadth):
    make.pairs(breadth, 2)
    alice, bob = make.person(breadth), make.person(breadth)
    held = make.claim(alice)
    assert make.judge_all(bob, 1) == 1
    for _ in range(2):  # undone and given again, the answer adds no third slot
        make.judge_next(alice)
        assert waiting(breadth)[-1] == (held.item.candidate_id, 2)
        make.undo(alice)
    assert len(waiting(breadth)) == 3
    assert make.claim(bob).item == held.item


def test_in_breadth_a_pair_that_was_set_aside_stays_out_until_it_is_put_back(breadth):
    [candidate] = make.pairs(breadth, 1)
    alice = make.person(breadth)
    make.claim(alice)
    breadth.pairs.update(set_aside_at=timezone.now())
    make.judge_next(alice)
    assert waiting(breadth) == []
    queue.enter(breadth, breadth.pairs.all())
    assert waiting(breadth) == [(candidate.pk, 2)]


def test_in_breadth_a_pair_keeps_its_priority_in_each_round(breadth):
    first, second = make.pairs(breadth, 2)
    SentencePair.objects.filter(candidate=first).update(priority=1)
    judge(breadth, 1)
    assert waiting(breadth) == [(first.pk, 2), (second.pk, 1)]
    SentencePair.objects.filter(candidate=first).update(priority=-1)
    judge(breadth, 1)
    assert waiting(breadth) == [(second.pk, 1), (first.pk, 3)]


def test_a_person_who_found_nothing_is_at_the_end_and_finds_what_comes_back():
    _, [bob, *holders] = study(2, people=3, **ONE_EACH)
    first, second = [make.claim(holder) for holder in holders]
    assert make.claim(bob) is None
    end = second.queue_key | (KEYS_PER_ITEM - 1)
    duty = bob.duty("judge")
    assert (duty.place, duty.looked_behind_at is not None) == (end, True)
    Judgment.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    assert make.claim(bob) == first
    # What has not been claimed since is found after a minute.
    Judgment.objects.filter(pk=first.pk).update(annotator=None, person=None, claimed_at=None)
    for seconds, found in ((30, None), (90, first)):
        earlier = timezone.now() - timedelta(seconds=seconds)
        Duty.objects.filter(pk=duty.pk).update(place=end, looked_behind_at=earlier)
        assert make.claim(bob) == found


def test_a_turn_leaves_the_duty_as_it_is_stored():
    project, [alice] = study(2, people=1, **ONE_EACH)
    duty = alice.duty("judge")
    for _ in range(3):
        shown = answers.turn(duty).shown
        kept = [duty.place, duty.looked_behind_at, duty.gold_after]
        duty.refresh_from_db()
        assert [duty.place, duty.looked_behind_at, duty.gold_after] == kept
        if shown:
            answers.turn(duty, {"item": shown.id, "label": 1})
    assert Consensus.objects.filter(pair__project=project).count() == 2


def test_a_look_behind_that_found_something_is_made_again_at_once():
    _, [alice] = study(4, people=1, **ONE_EACH)
    place = Judgment.objects.latest("queue_key").queue_key
    Duty.objects.filter(membership=alice).update(place=place)
    assert make.judge_all(alice, 1) == 4


def test_slots_that_enter_the_queue_call_back_those_beyond_them_and_no_one_else():
    project, [alice, bob] = study(3, people=2, **ONE_EACH)
    first, _, last = project.pairs.order_by("pk")
    slot = last.slots.get()
    first.slots.update(queue_key=None)
    make.judge_next(alice)
    place = alice.duty("judge").place
    for kind, keys in (("judge", [place + 1, None]), ("correct", [0]), ("judge", [])):
        queue.call_back(project, kind, keys)
        assert alice.duty("judge").place == place
    last.slots.update(queue_key=slot.queue_key - BAND)
    queue.call_back(project, "judge", [slot.queue_key - BAND])
    assert alice.duty("judge").place == slot.queue_key - BAND - 1
    assert make.claim(alice) == slot
    queue.enter(project, [first])
    assert make.claim(bob).item == first


def test_reserved_slots_go_first_to_people_who_take_them_and_never_to_others():
    project, [alice, bob] = study(people=2, **ONE_EACH)
    *_, last = items(project, "judge", 3)
    last.slots.update(reserved=True)
    Duty.objects.filter(membership=alice).update(takes_reserved=True)
    held = make.claim(alice)
    assert held.item == last
    expire(held)
    assert make.judge_all(bob, 1) == 2
    [new] = items(project, "judge", 1)
    assert [make.judge_next(alice).item for _ in range(2)] == [last, new]
    assert make.claim(alice) is None


def prioritize(found, level):
    return order.prioritize(found[0].project, [item.public_id for item in found], level)


def keys():
    return list(Judgment.objects.order_by("pk").values_list("queue_key", flat=True))


@pytest.mark.parametrize("by", ["depth", "breadth"])
def test_raised_pairs_come_next_and_lowered_ones_last_to_people_at_any_place(by):
    def judged_next(member, number):
        return [make.judge_next(member).item for _ in range(number)]

    project, [newcomer, late, *others] = study(5, people=5, order=by)
    pairs = list(project.pairs.order_by("pk"))
    assert judged_next(late, 2) == pairs[:2]
    assert prioritize(pairs[4:], 1) == 1
    assert judged_next(late, 3) == [pairs[4], pairs[2], pairs[3]]
    assert make.claim(late) is None
    assert judged_next(newcomer, 1) == pairs[4:]
    assert prioritize(pairs[:1], -1) == 1
    lowered = keys()
    assert [prioritize(pairs[:1], level) for level in (1, 1, -1)] == [1, 0, 1]
    assert keys() == lowered
    assert judged_next(newcomer, 4)[-1] == pairs[0]
    prioritize(pairs[1::2], 1)
    for member in others:
        make.judge_all(member, 1)
    assert not Judgment.objects.filter(submitted_at=None).exists()


def test_corrections_are_raised_and_lowered_too():
    project, [alice] = study(people=1)
    first, second, third, fourth, fifth = items(project, "correct", 5)
    assert [make.correct_next(alice).item for _ in range(2)] == [first, second]
    assert prioritize([fifth], 1) == 1
    assert prioritize([third, first], -1) == 2
    assert [make.correct_next(alice).item for _ in range(3)] == [fifth, fourth, third]
    assert make.claim(alice, "correct") is None
    stored = Slot.objects.get(item=first)
    assert (stored.item.priority, stored.queue_key) == (-1, in_depth(first.pk, 1))


def test_items_of_two_kinds_are_raised_together():
    project, [alice] = study(people=1)
    found = {kind: items(project, kind, 2) for kind in ("judge", "correct")}
    for kind in found:
        make.claim(alice, kind)
    assert prioritize([last for _, last in found.values()], 1) == 2
    bob = make.person(project)
    assert [make.claim(bob, kind).item for kind in found] == [last for _, last in found.values()]


def test_a_priority_is_given_to_open_slots_of_the_project_that_are_in_the_queue():
    project, [alice] = study(1, people=1)
    answered, pair = make.judge_next(alice), project.pairs.get()
    Judgment.objects.filter(number=2).update(queue_key=None)
    before = keys()
    assert order.prioritize(make.study(), [pair.public_id], 1) == 0
    with pytest.raises(ValueError, match="no such priority"):
        prioritize([pair], 2)
    assert (prioritize([pair], 0), keys()) == (0, before)
    prioritize([pair], 1)
    expected = [answered.queue_key, None, *[in_depth(pair.pk, n, priority=1) for n in (3, 4, 5)]]
    assert keys() == expected
