"""Claiming, answering and taking back corrections; the queue when others are quicker."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Correction, Judgment, Membership, SentencePair
from annotation.services import corrections, judgments, slots
from generation.models import Sentence
from tests.annotation import cast

pytestmark = pytest.mark.django_db
both_engines = pytest.mark.both_engines  # claims lock rows, and the place of undo does too

TEXTS = [
    ("The cat sees a apple.", "A apple sees the cat."),
    ("Mara met Tobias.", "Tobias met Mara."),
]


@pytest.fixture
def project():
    project = cast.study()
    cast.candidates(project, TEXTS)
    return project


@pytest.fixture
def alice(project):
    return cast.person(project)


@pytest.fixture
def bob(project):
    return cast.person(project)


def test_accepted_and_fixed_candidates_become_pairs_with_five_slots_and_rejected_ones_end(
    project, alice
):
    accepted = cast.correct_next(alice, "accept")
    assert (accepted.action, accepted.text, accepted.seconds) == ("accept", "", 3.0)
    assert (accepted.lease_until, accepted.number) == (None, 1)
    assert abs(timezone.now() - accepted.submitted_at) < timedelta(minutes=5)
    pair = SentencePair.objects.get()
    assert (pair.sentence1.text, pair.sentence2.text) == TEXTS[0]
    assert [slot.slot for slot in pair.judgments.order_by("slot")] == [1, 2, 3, 4, 5]
    fixed = cast.correct_next(alice, "fix", " Tobias has met Mara. ")
    assert (fixed.action, fixed.text) == ("fix", "Tobias has met Mara.")
    assert (fixed.pair.sentence2.text, fixed.candidate.text) == (fixed.text, TEXTS[1][1])
    cast.candidates(project, [("Cy met Di.", "Di met Cy.")])
    rejected = cast.correct_next(alice, "reject")
    assert (rejected.action, rejected.number) == ("reject", 3)
    assert SentencePair.objects.count() == 2


def test_a_fix_that_changes_nothing_is_an_accept(alice):
    correction = cast.correct_next(alice, "fix", TEXTS[0][1])
    assert (correction.action, correction.text) == ("accept", "")


def test_what_cannot_be_stored_is_refused_and_leaves_the_item_open(alice):
    for action, text in (
        ("maybe", ""),
        ("fix", ""),
        ("fix", "   "),
        ("fix", "a\x00b"),
        ("fix", "a\ud800b"),
        ("fix", "x" * (corrections.MAX_CHARACTERS + 1)),
    ):
        with pytest.raises(Refused):
            cast.correct_next(alice, action, text)
    assert Correction.objects.filter(annotator=alice.user, action=None).count() == 1
    assert not SentencePair.objects.exists()
    assert cast.correct_next(alice, "fix", "x" * corrections.MAX_CHARACTERS).action == "fix"


def test_the_same_correction_sent_twice_is_one_and_another_is_refused(alice):
    first = cast.correct_next(alice, "fix", "An apple.")
    again = {"public_id": first.public_id, "action": "fix"}
    assert corrections.submit(alice, **again, text="An apple. ", seconds=9.0) == first
    for other in ({"action": "reject"}, {"action": "fix", "text": "The apple."}):
        with pytest.raises(AlreadyAnswered):
            corrections.submit(alice, public_id=first.public_id, **other)
    first.refresh_from_db()
    assert (first.text, first.seconds, SentencePair.objects.count()) == ("An apple.", 3.0, 1)


@both_engines
def test_two_people_are_given_different_candidates_and_correct_only_their_own(alice, bob):
    held = corrections.claim(alice)
    assert corrections.claim(alice) == held
    assert corrections.claim(bob) != held
    elsewhere = Membership.objects.create(project=cast.study(), user=alice.user)
    for member, public_id in ((bob, held.public_id), (elsewhere, held.public_id)):
        with pytest.raises(NotHeld):
            corrections.submit(member, public_id=public_id, action="accept")
    with pytest.raises(NotHeld):
        corrections.submit(alice, public_id=uuid.uuid4(), action="accept")


@both_engines
def test_an_expired_lease_goes_back_to_the_queue_even_for_those_beyond_it(project, alice, bob):
    held = corrections.claim(alice)
    assert (
        timedelta(0) < held.lease_until - timezone.now() <= timedelta(minutes=project.lease_minutes)
    )
    cast.correct_next(bob)
    assert corrections.claim(bob) is None
    Correction.objects.filter(pk=held.pk).update(lease_until=timezone.now() - timedelta(hours=1))
    renewed = corrections.claim(alice)
    assert renewed == held
    assert renewed.lease_until > timezone.now()
    Correction.objects.filter(pk=held.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert corrections.claim(bob) == held


def test_a_corrector_judges_neither_the_pair_nor_a_back_translation_of_their_sentence(
    project, alice, bob
):
    corrected = cast.correct_next(alice).pair.sentence2
    assert judgments.claim(alice) is None
    cast.judge_all(bob, 1)
    [made] = cast.rewrites(project, corrected, ["The cat is seen by an apple."])
    assert judgments.claim(alice) is None
    assert judgments.claim(bob).pair.candidate == made


@both_engines
def test_undo_takes_the_pair_back_while_no_one_has_seen_it(project, alice):
    assert corrections.undo(alice) is None
    first = cast.correct_next(alice, "fix", "An apple.")
    second = corrections.claim(alice)
    assert corrections.undo(alice) == first
    assert not SentencePair.objects.exists()
    assert not Sentence.objects.exclude(candidate=None).exists()
    first.refresh_from_db()
    emptied = (first.action, first.text, first.seconds, first.submitted_at, first.number)
    assert emptied == (None, "", None, None, None)
    left = first.lease_until - timezone.now()
    assert timedelta(0) < left <= timedelta(minutes=project.lease_minutes)
    second.refresh_from_db()
    assert (second.annotator, second.lease_until) == (None, None)
    assert corrections.claim(alice) == first
    cast.correct_next(alice, "reject")
    assert corrections.claim(alice) == second
    assert corrections.undo(alice) == first


def test_undo_ends_when_a_judge_has_been_given_the_pair(project, alice, bob):
    corrected = cast.correct_next(alice)
    judgments.claim(bob)
    assert corrections.undo(alice) is None
    assert Judgment.objects.count() == 5
    corrected.refresh_from_db()
    assert corrected.action == "accept"


def test_corrections_are_numbered_up_to_the_limit_and_undone_ones_do_not_count(project, alice):
    project.most_corrections = 2
    project.save()
    cast.candidates(project, [("Cy met Di.", "Di met Cy.")])
    assert [cast.correct_next(alice).number for _ in range(2)] == [1, 2]
    assert corrections.claim(alice) is None
    undone = corrections.undo(alice)
    assert corrections.claim(alice) == undone
    assert cast.correct_next(alice).number == 2


def test_a_person_who_is_given_no_work_may_answer_what_they_hold_and_nothing_else(project, alice):
    held = corrections.claim(alice)
    alice.paused_at = timezone.now()
    assert corrections.claim(alice) is None
    stored = corrections.submit(alice, public_id=held.public_id, action="reject")
    assert stored.action == "reject"
    assert corrections.undo(alice) is None
    assert corrections.claim(cast.person(project, may_correct=False)) is None


@pytest.fixture
def be_quicker(monkeypatch, bob):
    """Let Bob take a slot so often in the moment in which somebody else has found it."""

    def be_quicker(times):
        take, left = slots._take, [bob] * times

        def late(membership, slot, *rest):
            if left:
                Correction.objects.filter(pk=slot.pk).update(annotator=left.pop().user)
            take(membership, slot, *rest)

        monkeypatch.setattr(slots, "_take", late)

    return be_quicker


@both_engines
def test_a_person_whose_slot_was_just_taken_looks_again_and_at_last_is_given_nothing(
    be_quicker, alice
):
    be_quicker(times=slots.CLAIM_TRIES)
    assert corrections.claim(alice) is None
    assert not Correction.objects.filter(annotator=alice.user).exists()
    be_quicker(times=slots.CLAIM_TRIES - 1)
    item = corrections.claim(alice)
    assert Correction.objects.get(pk=item.pk).annotator == alice.user


@pytest.mark.postgres
def test_undo_locks_the_slots_of_a_pair_before_the_pair_as_its_last_judgment_does(alice):
    cast.correct_next(alice)
    with CaptureQueriesContext(connection) as queries:
        corrections.undo(alice)
    locking = [each["sql"] for each in queries if "FOR UPDATE" in each["sql"]]
    tables = [sql.split('FROM "')[1].split('"')[0] for sql in locking]
    assert tables.index("annotation_judgment") < tables.index("annotation_sentencepair")
