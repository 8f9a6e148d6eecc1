"""Claiming, answering and undoing, in the same way for every kind of work."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Membership, Project, Slot
from annotation.projects.services import projects
from annotation.work import answers, queue, tries
from annotation.work.contract import Tally
from tests.annotation import make
from tests.annotation.small_study import (
    EVERY_KIND,
    ONE_EACH,
    expire,
    has_new_lease,
    items,
    reread,
    study,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

OTHER = {"judge": "correct", "correct": "judge"}
# An answer, one that is the same, others, and the name of the first.
SENT = {
    "judge": (
        {"label": 1, "highlighted": True},
        {"label": 1, "highlighted": False},
        [{"label": 0}],
        "Same meaning",
    ),
    "correct": (
        {"action": "fix", "text": "Met Ada an apple."},
        {"action": "fix", "text": " Met Ada an apple. "},
        [{"action": "reject"}, {"action": "fix", "text": "Met Ada the apple."}],
        "fixed",
    ),
}
INVALID = {
    "judge": [{"label": label} for label in (-1, 2, 10**30)],
    "correct": [{"action": "maybe"}, {"action": "fix"}, {"action": "fix", "text": "a\ud800b"}],
}


def start(kind, number, *, people=1, **settings):
    project, members = study(people=people, **settings)
    return project, items(project, kind, number), *members


def answer_next(member, kind):
    slot = make.claim(member, kind)
    return make.submit(member, item=slot.item.public_id, seconds=2.0, **SENT[kind][0])


@EVERY_KIND
def test_people_get_each_item_once_in_order_one_at_a_time_up_to_their_limit(kind):
    project, found, alice = start(kind, 5, limits={kind: 3, OTHER[kind]: 1})
    for number, item in enumerate(found[:3], 1):
        held = make.claim(alice, kind)
        assert (held.item, held.annotator) == (item, alice.user)
        expire(held)
        again = make.claim(alice, kind)
        assert (again, again.claimed_at, has_new_lease(again)) == (held, held.claimed_at, True)
        assert answer_next(alice, kind).serial == number
    assert make.claim(alice, kind) is None
    undone = make.undo(alice, kind)
    assert make.claim(alice, kind) == undone
    assert answer_next(alice, kind).serial == 3
    assert make.claim(make.person(project, kinds=[OTHER[kind]]), kind) is None


@EVERY_KIND
def test_people_are_given_different_slots_and_the_last_ones_none(kind):
    _, [only], alice, bob, carol = start(
        kind, 1, people=3, judgments_per_pair=2, consensus_min_votes=2
    )
    held = [make.claim(member, kind) for member in (alice, bob, carol)]
    slots = list(only.slots.order_by("number"))
    assert held == [*slots, None, None][:3]


@EVERY_KIND
def test_an_answer_is_stored_once_with_what_was_sent_first(kind):
    _, _, alice = start(kind, 1)
    item = make.claim(alice, kind).item.public_id
    first, same, others, name = SENT[kind]
    make.think(alice, item, 3.0)
    for seconds, sent in ((3.0, first), (9.0, same)):
        turn = make.turn(alice, kind, item=item, seconds=seconds, **sent)
        assert (turn.saved, turn.refusal, turn.shown) == (name, None, None)
        assert turn.tally == Tally(1, 1)
    stored = Slot.objects.get(annotator=alice.user)
    assert first.items() <= vars(stored).items()
    assert (stored.seconds, stored.lease_until, stored.serial) == (3.0, None, 1)
    assert timezone.now() - stored.submitted_at < timedelta(minutes=5)
    before = Slot.objects.values().get(pk=stored.pk)
    for other in others:
        turn = make.turn(alice, kind, item=item, **other)
        assert (type(turn.refusal), turn.saved, turn.tally.total) == (AlreadyAnswered, "", 1)
    assert Slot.objects.values().get(pk=stored.pk) == before


@EVERY_KIND
@pytest.mark.parametrize("claimed_before", [5.0, -60.0])  # a minute ahead: by another clock
def test_an_answer_takes_at_most_the_time_since_its_claim(kind, claimed_before):
    _, _, alice = start(kind, 1)
    item = make.claim(alice, kind).item.public_id
    make.think(alice, item, claimed_before)
    make.turn(alice, kind, item=item, seconds=9999.0, **SENT[kind][0])
    stored = Slot.objects.get(annotator=alice.user)
    since_claim = (stored.submitted_at - stored.claimed_at).total_seconds()
    assert stored.seconds == max(0.0, since_claim)


@EVERY_KIND
def test_only_the_holder_answers_an_item_and_only_in_its_project_and_kind(kind):
    _, _, alice, bob = start(kind, 1, people=2)
    item = make.claim(alice, kind).item.public_id
    other_project, _, stranger = start(kind, 0)
    elsewhere = projects.add_member(other_project, alice.user)
    answer = SENT[kind][0]
    for member, key in ((bob, item), (stranger, item), (elsewhere, item), (alice, uuid.uuid4())):
        with pytest.raises(NotHeld):
            make.submit(member, item=key, **answer)
    with pytest.raises(NotHeld):
        make.submit(alice, item=item, **SENT[OTHER[kind]][0])
    assert not Slot.objects.filter(submitted_at__isnull=False).exists()
    assert make.submit(alice, item=item, **answer).annotator == alice.user


@EVERY_KIND
def test_an_invalid_answer_is_refused_and_leaves_the_item_in_progress(kind):
    _, _, alice = start(kind, 2)
    item = make.claim(alice, kind).item.public_id
    for invalid in INVALID[kind]:
        turn = make.turn(alice, kind, item=item, **invalid)
        assert isinstance(turn.refusal, Refused)
        assert (turn.saved, turn.shown.id, turn.tally.total) == ("", item, 0)
    assert not Slot.objects.filter(submitted_at__isnull=False).exists()


@EVERY_KIND
def test_an_item_whose_lease_has_ended_goes_to_others_even_to_those_beyond_it(kind):
    _, _, alice, bob = start(kind, 2, people=2, **ONE_EACH)
    held, answer = make.claim(alice, kind), SENT[kind][0]
    answer_next(bob, kind)
    assert make.claim(bob, kind) is None
    expire(held)
    assert make.claim(bob, kind) == held
    with pytest.raises(NotHeld):
        make.submit(alice, item=held.item.public_id, **answer)
    expire(held)  # a late answer is stored while the item is still theirs
    assert make.submit(bob, item=held.item.public_id, **answer).annotator == bob.user


@EVERY_KIND
def test_undo_reopens_the_last_answer_and_releases_the_item_in_progress(kind):
    _, _, alice = start(kind, 3)
    assert make.undo(alice, kind) is None
    answer_next(alice, kind)
    second = answer_next(alice, kind)
    third = make.claim(alice, kind)
    elsewhere = projects.add_member(start(kind, 1)[0], alice.user)
    answer_next(elsewhere, kind)
    undone = make.undo(alice, kind)
    undone.refresh_from_db()
    assert (undone, has_new_lease(undone)) == (second, True)
    emptied = (undone.label, undone.action, undone.text, undone.highlighted)
    assert emptied == (None, "", "", None)
    assert (undone.seconds, undone.submitted_at, undone.serial) == (None, None, None)
    released = Slot.objects.get(pk=third.pk)
    assert (released.annotator, released.lease_until) == (None, None)
    assert released.claimed_at == third.claimed_at
    assert make.claim(alice, kind) == undone
    assert answer_next(alice, kind) == undone
    assert make.claim(alice, kind) == third


@EVERY_KIND
@pytest.mark.parametrize("does", ["claims", "answers"])
def test_undo_in_one_tab_while_another_goes_on_leaves_no_gap_in_the_numbers(
    kind, does, monkeypatch
):
    _, _, alice = start(kind, 5)
    answer_next(alice, kind)
    second, third = answer_next(alice, kind), make.claim(alice, kind)
    release, left = queue.release, [1]

    def late(duty, *, answers):
        """The other tab goes on at the moment at which the item in progress is released."""
        goes_on = left and left.pop()
        if goes_on and does == "answers":
            make.submit(alice, item=third.item.public_id, **SENT[kind][0])
        release(duty, answers=answers)
        if goes_on:
            make.claim(alice, kind)

    monkeypatch.setattr(queue, "release", late)
    assert make.undo(alice, kind) == second
    assert make.claim(alice, kind) == second
    numbers = Slot.objects.answered().order_by("serial").values_list("serial", flat=True)
    assert list(numbers) == [1]


@EVERY_KIND
def test_undo_leaves_the_item_that_the_person_sees_and_no_other(kind):
    _, _, alice = start(kind, 3)
    answer_next(alice, kind)
    second, seen = answer_next(alice, kind), make.claim(alice, kind).item.public_id
    duty = alice.duty(kind)
    assert answers.undo(duty, at=seen) == second
    with pytest.raises(NotHeld):
        answers.undo(duty, at=seen)
    assert make.claim(alice, kind) == second


NO_WORK = {
    "closed": lambda member: Project.objects.update(is_open=False),
    "paused": lambda member: Membership.objects.update(paused_at=timezone.now()),
    "consent": lambda member: Project.objects.update(
        consent="Agree.", consent_changed_at=timezone.now()
    ),
    "qualification": lambda member: Project.objects.update(asks_qualification=True),
    "duties": lambda member: projects.allow(member, []),
}


@EVERY_KIND
@pytest.mark.parametrize("why", NO_WORK)
def test_a_person_who_is_given_no_work_may_answer_the_item_in_progress_and_nothing_else(kind, why):
    _, _, alice, bob = start(kind, 2, people=2)
    held, answered = make.claim(alice, kind), answer_next(bob, kind)
    for member in (alice, bob):
        NO_WORK[why](member)
    alice, bob = reread(alice), reread(bob)
    turn = make.turn(alice, kind, item=held.item.public_id, **SENT[kind][0])
    assert (turn.shown, turn.refusal, make.claim(alice, kind)) == (None, None, None)
    assert make.undo(bob, kind) is None
    for slot in (held, answered):
        slot.refresh_from_db()
        assert slot.submitted_at is not None


def test_a_person_whose_slot_was_just_taken_looks_again_but_not_for_ever(monkeypatch):
    _, _, alice, bob = start("correct", 2, people=2)
    take, left = queue._take, [bob.user] * (2 * tries.MOST - 1)

    def late(duty, person, slot, now):
        """Bob takes a slot at the moment at which it has been found."""
        if left:
            user = left.pop()
            Slot.objects.filter(pk=slot.pk).update(annotator=user, person=user)
        take(duty, person, slot, now)

    monkeypatch.setattr(queue, "_take", late)
    with pytest.raises(IntegrityError):
        make.claim(alice, "correct")
    assert len(left) == tries.MOST - 1
    assert not Slot.objects.filter(annotator=alice.user).exists()
    assert make.claim(alice, "correct").annotator == alice.user
