"""What came back is found, and an empty answer stays cheap."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Judgment, Membership, SentencePair
from annotation.services import judgments, queues
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study(judgments_per_pair=1, consensus_min_votes=1)


def again(member):
    """The membership as the next request reads it."""
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def at_the_end(project):
    """Somebody who has looked ahead and behind and found nothing, while others hold two pairs."""
    cast.pairs(project, 2)
    holders = [cast.person(project) for _ in range(2)]
    held = [judgments.claim(holder) for holder in holders]
    bob = cast.person(project)
    assert judgments.claim(bob) is None
    return bob, held


def test_what_came_back_is_found_although_nothing_was_behind_a_moment_ago(project):
    bob, [first, _] = at_the_end(project)
    Judgment.objects.filter(pk=first.pk).update(lease_until=timezone.now())
    assert judgments.claim(again(bob)) == first


def test_a_slot_that_is_released_keeps_the_time_of_its_claim():
    project = cast.study()
    cast.pairs(project, 2)
    alice = cast.person(project)
    cast.judge_next(alice)
    held = judgments.claim(alice)
    judgments.undo(alice)
    released = Judgment.objects.get(pk=held.pk)
    assert (released.annotator, released.claimed_at) == (None, held.claimed_at)


def test_somebody_who_found_nothing_stands_at_the_end_of_the_queue(project):
    bob, held = at_the_end(project)
    assert again(bob).judgment_place >= max(slot.queue_key for slot in held)


def test_what_lies_behind_without_having_been_claimed_is_found_after_a_minute(project):
    bob, [first, _] = at_the_end(project)
    Judgment.objects.filter(pk=first.pk).update(annotator=None, claimed_at=None)
    assert judgments.claim(again(bob)) is None
    earlier = timezone.now() - timedelta(minutes=2)
    Membership.objects.filter(pk=bob.pk).update(looked_behind_at=earlier)
    assert judgments.claim(again(bob)) == first


def test_a_look_behind_that_found_something_is_made_again_at_once(project):
    cast.pairs(project, 4)
    alice = cast.person(project)
    place = Judgment.objects.latest("queue_key").queue_key
    Membership.objects.filter(pk=alice.pk).update(judgment_place=place)
    assert cast.judge_all(again(alice), 1) == 4


def test_what_is_made_urgent_comes_before_the_rest_to_everybody(project):
    cast.pairs(project, 3)
    alice = cast.person(project)
    cast.judge_next(alice)
    last = SentencePair.objects.latest("pk")
    slot = last.judgments.get()
    slot.queue_key -= 2**60
    slot.save()
    queues.call_back(project, queues.JUDGMENT_PLACE, [slot.queue_key])
    assert judgments.claim(again(alice)).pair == last
    cast.judge_next(again(alice))
    assert cast.judge_all(again(alice), 1) == 1


def test_who_is_not_beyond_a_key_is_left_where_they_are(project):
    cast.pairs(project, 2)
    alice = cast.person(project)
    place = again(alice).judgment_place
    queues.call_back(project, queues.JUDGMENT_PLACE, [10**9])
    assert again(alice).judgment_place == place


def test_slots_of_pairs_that_are_put_back_get_their_keys_again(project):
    cast.pairs(project, 2)
    alice = cast.person(project)
    first = SentencePair.objects.earliest("pk")
    first.judgments.update(queue_key=None)
    cast.judge_all(alice, 1)
    queues.enter(project, [first])
    assert judgments.claim(again(alice)).pair == first
