"""Claiming, answering and taking back corrections."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Correction, Judgment, SentencePair, Skip
from annotation.services import corrections, judgments
from generation.models import Sentence
from tests.annotation import cast

pytestmark = pytest.mark.django_db

TEXTS = [
    ("The cat sees a apple.", "A apple sees the cat."),
    ("Mara met Tobias.", "Tobias met Mara."),
]


@pytest.fixture
def project():
    project = cast.study()
    cast.candidates(project, TEXTS)
    return project


def test_an_accepted_candidate_becomes_a_pair_with_five_slots(project):
    cast.correct_next(cast.person(project), "accept")
    pair = SentencePair.objects.get()
    assert (pair.sentence1.text, pair.sentence2.text) == TEXTS[0]
    assert [slot.slot for slot in pair.judgments.order_by("slot")] == [1, 2, 3, 4, 5]


def test_a_fixed_candidate_is_judged_as_fixed(project):
    correction = cast.correct_next(cast.person(project), "fix", " An apple sees the cat. ")
    assert correction.pair.sentence2.text == "An apple sees the cat."
    assert correction.candidate.text == "A apple sees the cat."


def test_a_fix_that_changes_nothing_is_an_accept(project):
    correction = cast.correct_next(cast.person(project), "fix", TEXTS[0][1])
    assert (correction.action, correction.text) == ("accept", "")


def test_a_rejected_candidate_ends_there(project):
    cast.correct_next(cast.person(project), "reject")
    assert not SentencePair.objects.exists()


@pytest.mark.parametrize("text", ["", "   ", "a\x00b", "a\ud800b"])
def test_a_fix_that_cannot_be_stored_is_refused_and_leaves_the_item_open(project, text):
    alice = cast.person(project)
    with pytest.raises(Refused):
        cast.correct_next(alice, "fix", text)
    assert Correction.objects.filter(annotator=alice.user, action=None).count() == 1


def test_an_unknown_action_is_refused(project):
    with pytest.raises(Refused):
        cast.correct_next(cast.person(project), "maybe")


def test_the_same_correction_twice_is_one_pair(project):
    alice = cast.person(project)
    first = cast.correct_next(alice)
    again = corrections.submit(alice, public_id=first.public_id, action="accept")
    assert again == first
    assert SentencePair.objects.count() == 1


def test_another_correction_of_the_same_candidate_is_refused(project):
    alice = cast.person(project)
    first = cast.correct_next(alice)
    with pytest.raises(AlreadyAnswered):
        corrections.submit(alice, public_id=first.public_id, action="reject")


def test_nobody_corrects_what_somebody_else_holds(project):
    held = corrections.claim(cast.person(project))
    with pytest.raises(NotHeld):
        corrections.submit(cast.person(project), public_id=held.public_id, action="accept")


def test_two_people_are_given_different_candidates(project):
    assert corrections.claim(cast.person(project)) != corrections.claim(cast.person(project))


def test_the_corrector_is_never_given_the_pair_to_judge(project):
    alice, bob = cast.person(project), cast.person(project)
    cast.correct_next(alice)
    assert judgments.claim(alice) is None
    assert judgments.claim(bob) is not None


def test_the_corrector_of_a_sentence_does_not_judge_its_back_translation(project):
    alice, bob = cast.person(project), cast.person(project)
    corrected = cast.correct_next(alice).pair.sentence2
    cast.judge_all(bob, 1)
    run_of_it = cast.rewrites(project, corrected, ["The cat is seen by an apple."])
    assert judgments.claim(alice) is None
    assert judgments.claim(bob).pair.candidate == run_of_it[0]


def test_undo_takes_the_pair_back_while_nobody_has_seen_it(project):
    alice = cast.person(project)
    first = cast.correct_next(alice)
    corrections.claim(alice)
    assert corrections.undo(alice) == first
    assert not SentencePair.objects.exists()
    assert not Sentence.objects.exclude(candidate=None).exists()
    assert corrections.claim(alice) == first


def test_a_rejection_is_taken_back_as_well(project):
    alice = cast.person(project)
    rejected = cast.correct_next(alice, "reject")
    assert corrections.undo(alice) == rejected
    assert Correction.objects.get(pk=rejected.pk).action is None


def test_undo_ends_when_a_judge_has_been_given_the_pair(project):
    alice = cast.person(project)
    cast.correct_next(alice)
    judgments.claim(cast.person(project))
    assert corrections.undo(alice) is None
    assert Judgment.objects.count() == 5


def test_corrections_are_numbered_until_they_are_taken_back(project):
    alice = cast.person(project)
    assert [cast.correct_next(alice).number for _ in TEXTS] == [1, 2]
    assert corrections.undo(alice).number is None
    assert cast.correct_next(alice).number == 2


def test_who_has_made_as_many_as_one_person_may_is_given_no_more(project):
    project.most_corrections = 1
    project.save()
    alice = cast.person(project)
    cast.correct_next(alice)
    assert corrections.claim(alice) is None
    assert corrections.undo(alice) == corrections.claim(alice)


def test_who_is_given_no_work_is_given_nothing_and_what_they_hold_is_stored(project):
    alice = cast.person(project)
    held = corrections.claim(alice)
    alice.paused_at = timezone.now()
    assert corrections.claim(alice) is None
    stored = corrections.submit(alice, public_id=held.public_id, action="reject")
    assert stored.action == "reject"
    assert corrections.undo(alice) is None


def test_what_a_person_has_passed_over_is_not_given_to_them_unless_it_comes_back(project):
    alice = cast.person(project)
    first, second = Correction.objects.order_by("pk")
    Skip.objects.create(
        project=project, annotator=alice.user, correction=first, reason=Skip.Reason.UNCLEAR
    )
    assert corrections.claim(alice) == second
    assert corrections.claim(cast.person(project)) == first


@pytest.mark.postgres
def test_undo_locks_the_slots_of_a_pair_before_the_pair_as_its_last_judgment_does(project):
    alice = cast.person(project)
    cast.correct_next(alice)
    with CaptureQueriesContext(connection) as queries:
        corrections.undo(alice)
    locking = [each["sql"] for each in queries if "FOR UPDATE" in each["sql"]]
    slots = next(n for n, sql in enumerate(locking) if 'FROM "annotation_judgment"' in sql)
    pairs = next(n for n, sql in enumerate(locking) if 'FROM "annotation_sentencepair"' in sql)
    assert slots < pairs
