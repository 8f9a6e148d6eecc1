"""Claiming, answering and taking back corrections; the queue when others are quicker."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Correction, Judgment, Membership, SentencePair
from generation.models import Sentence
from tests.annotation import make
from tests.annotation.services.small_study import expire, has_new_lease, study

pytestmark = pytest.mark.django_db
both_engines = pytest.mark.both_engines  # for claims that lock rows
SWAP = ("The cat sees a apple.", "A apple sees the cat.")


@pytest.fixture
def people():
    project, people = study(people=2)
    make.candidates(project, [SWAP, ("Mara met Tobias.", "Tobias met Mara.")])
    return people


@pytest.fixture
def alice(people):
    return people[0]


def test_accepted_and_fixed_ones_up_to_the_limit_become_pairs_and_rejected_ones_end(alice):
    alice.project.most_corrections = 4
    make.candidates(alice.project, [(f"Di met {n}.", f"{n} met Di.") for n in range(3)])
    accepted = make.correct_next(alice, "accept")
    assert (accepted.action, accepted.text, accepted.seconds) == ("accept", "", 3.0)
    assert (accepted.lease_until, accepted.number) == (None, 1)
    assert timezone.now() - accepted.submitted_at < timedelta(minutes=5)
    pair = accepted.pair
    assert (pair.sentence1.text, pair.sentence2.text) == SWAP
    assert list(pair.slots.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    fixed = make.correct_next(alice, "fix", " Tobias has met Mara. ")
    assert (fixed.action, fixed.text) == ("fix", "Tobias has met Mara.")
    assert (fixed.pair.sentence2.text, fixed.candidate.text) == (fixed.text, "Tobias met Mara.")
    unchanged = make.correct_next(alice, "fix", "0 met Di.")
    assert (unchanged.action, unchanged.text) == ("accept", "")
    rejected = make.correct_next(alice, "reject")
    assert (rejected.action, rejected.number, SentencePair.objects.count()) == ("reject", 4, 3)
    assert make.claim(alice, "correct") is None
    assert make.undo(alice, "correct") == rejected  # which does not count any more
    assert make.claim(alice, "correct") == rejected
    assert make.correct_next(alice, "reject").number == 4


def test_what_cannot_be_stored_is_refused_and_leaves_the_item_open(alice):
    longest = "x" * corrections.MAX_CHARACTERS
    for text in ("", "   ", "a\x00b", "a\ud800b", longest + "x"):
        with pytest.raises(Refused):
            make.correct_next(alice, "fix", text)
    with pytest.raises(Refused):
        make.correct_next(alice, "maybe")
    assert Correction.objects.filter(annotator=alice.user, submitted_at=None).count() == 1
    assert not SentencePair.objects.exists()
    assert make.correct_next(alice, "fix", longest).text == longest


def test_the_same_correction_sent_twice_is_one_and_another_is_refused(alice):
    first = make.correct_next(alice, "fix", "An apple.")
    sent = {"public_id": first.item.public_id, "action": "fix"}
    assert make.submit(alice, **sent, text="An apple. ", seconds=9.0) == first
    for other in ({"action": "reject"}, {"text": "The apple."}):
        with pytest.raises(AlreadyAnswered):
            make.submit(alice, **sent | other)
    first.refresh_from_db()
    assert (first.text, first.seconds, SentencePair.objects.count()) == ("An apple.", 3.0, 1)


@both_engines
def test_people_are_given_different_candidates_and_correct_only_their_own(people):
    alice, bob = people
    held = make.claim(alice, "correct")
    assert has_new_lease(held)
    assert make.correct_next(bob) != held
    assert make.claim(bob, "correct") is None
    elsewhere = Membership.objects.create(project=make.study(), user=alice.user)
    for member, key in (
        (bob, held.item.public_id),
        (elsewhere, held.public_id),
        (alice, uuid.uuid4()),
    ):
        with pytest.raises(NotHeld):
            make.submit(member, item=key, action="accept")
    expire(held)
    again = make.claim(alice, "correct")
    assert (again, has_new_lease(again)) == (held, True)
    expire(held)  # and goes back to the queue, even for those beyond it
    assert make.claim(bob, "correct") == held


@both_engines
def test_undo_takes_the_pair_back_while_no_one_has_been_given_it(people):
    alice, bob = people
    assert make.undo(alice, "correct") is None
    first = make.correct_next(alice, "fix", "An apple.")
    second = make.claim(alice, "correct")
    assert make.undo(alice, "correct") == first
    assert not SentencePair.objects.exists()
    assert not Sentence.objects.exclude(candidate=None).exists()
    first.refresh_from_db()
    emptied = (first.action, first.text, first.seconds, first.submitted_at, first.number)
    assert (emptied, has_new_lease(first)) == ((None, "", None, None, None), True)
    second.refresh_from_db()
    assert (second.annotator, second.lease_until) == (None, None)
    assert make.claim(alice, "correct") == first
    make.correct_next(alice, "reject")
    assert make.undo(alice, "correct") == first
    make.correct_next(alice)
    make.claim(bob)
    assert make.undo(alice, "correct") is None
    first.refresh_from_db()
    assert (first.action, Judgment.objects.count()) == ("accept", 5)
    assert make.claim(alice, "correct") == second


def test_a_person_who_is_given_no_work_may_answer_what_they_hold_and_nothing_else(alice):
    held = make.claim(alice, "correct")
    alice.paused_at = timezone.now()
    assert make.claim(alice, "correct") is None
    stored = make.submit(alice, item=held.item.public_id, action="reject")
    assert (stored.action, make.undo(alice, "correct")) == ("reject", None)
    assert make.claim(make.person(alice.project, kinds=["judge"]), "correct") is None


@both_engines
def test_a_person_whose_slot_was_just_taken_looks_again_but_not_for_ever(people, monkeypatch):
    alice, bob = people
    take, left = slots._take, [bob.user] * (2 * slots.CLAIM_TRIES - 1)

    def late(membership, slot, *rest):
        """Bob takes a slot in the moment in which it has been found."""
        if left:
            Correction.objects.filter(pk=slot.pk).update(annotator=left.pop())
        take(membership, slot, *rest)

    monkeypatch.setattr(slots, "_take", late)
    assert make.claim(alice, "correct") is None
    assert len(left) == slots.CLAIM_TRIES - 1
    assert not Correction.objects.filter(annotator=alice.user).exists()
    assert Correction.objects.get(pk=make.claim(alice, "correct").pk).annotator == alice.user


@pytest.mark.postgres
def test_undo_locks_the_slots_of_a_pair_before_the_pair_as_its_last_judgment_does(alice):
    make.correct_next(alice)
    with CaptureQueriesContext(connection) as queries:
        make.undo(alice, "correct")
    locking = [each["sql"] for each in queries if "FOR UPDATE" in each["sql"]]
    tables = [sql.split('FROM "')[1].split('"')[0] for sql in locking]
    assert tables.index("annotation_slot") < tables.index("annotation_item")
