"""Corrections: which candidates become pairs, and when undo deletes a pair."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotation.errors import NeedsConfirmation, Refused
from annotation.models import Correction, Judgment, SentencePair
from annotation.work.skips import skip
from generation.models import Sentence
from generation.nlp.text import MAX_CHARACTERS
from tests.annotation import make
from tests.annotation.small_study import has_new_lease, study

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


def pair_of(correction):
    return SentencePair.objects.get(origin=correction)


def test_accepted_and_fixed_candidates_become_pairs_and_rejected_ones_do_not(alice):
    make.candidates(alice.project, [(f"Di met {n}.", f"{n} met Di.") for n in range(2)])
    accepted = make.correct_next(alice, "accept")
    assert (accepted.action, accepted.text, accepted.seconds) == ("accept", "", 3.0)
    assert timezone.now() - accepted.submitted_at < timedelta(minutes=5)
    pair = pair_of(accepted)
    assert (pair.sentence1.text, pair.sentence2.text) == SWAP
    assert pair.candidate == accepted.item.candidate
    assert list(pair.slots.order_by("number").values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    fixed = make.correct_next(alice, "fix", " Tobias has met Mara. ")
    assert (fixed.action, fixed.text) == ("fix", "Tobias has met Mara.")
    rewrite, generated = pair_of(fixed).sentence2.text, fixed.item.candidate.text
    assert (rewrite, generated) == (fixed.text, "Tobias met Mara.")
    unchanged = make.correct_next(alice, "fix", "0 met Di.")
    assert (unchanged.action, unchanged.text) == ("accept", "")
    rejected = make.correct_next(alice, "reject")
    assert (rejected.action, SentencePair.objects.count()) == ("reject", 3)


def test_a_fix_that_cannot_be_stored_is_refused_up_to_the_longest(alice):
    longest = "x" * MAX_CHARACTERS
    for text in ("", "   ", "a\x00b", "a\ud800b", "a\u202eb", "a\ufffeb", longest + "x"):
        with pytest.raises(Refused):
            make.correct_next(alice, "fix", text)
    assert Correction.objects.filter(annotator=alice.user, submitted_at=None).count() == 1
    assert not SentencePair.objects.exists()
    assert make.correct_next(alice, "fix", longest).text == longest


def test_a_fix_that_keeps_under_half_of_the_words_has_to_be_confirmed(alice):
    item = make.claim(alice, "correct").item
    for text in ("x y z", "a" * 200):
        turn = make.turn(alice, "correct", item=item.public_id, action="fix", text=text)
        assert (type(turn.refusal), turn.shown.id) == (NeedsConfirmation, item.public_id)
    make.turn(alice, "correct", item=item.public_id, action="fix_anyway", text="The dog sees.")
    stored = Correction.objects.get(item=item)
    assert (stored.action, stored.text, stored.words_kept) == ("fix", "The dog sees.", 0.4)
    undone = make.undo(alice, "correct")
    undone.refresh_from_db()
    assert (undone.action, undone.words_kept) == ("", None)


def test_a_correction_that_is_sent_twice_opens_one_pair(alice):
    first = make.correct_next(alice, "fix", "An apple.")
    for text in ("An apple.", "An apple. "):
        assert make.submit(alice, item=first.item.public_id, action="fix", text=text) == first
    assert pair_of(first).sentence2.text == "An apple."


@both_engines
def test_undo_deletes_the_pair_while_nobody_has_been_given_or_has_skipped_it(people):
    alice, bob = people
    first = make.correct_next(alice, "fix", "An apple.")
    second = make.claim(alice, "correct")
    assert make.undo(alice, "correct") == first
    assert not SentencePair.objects.exists()
    assert not Sentence.objects.exclude(candidate=None).exists()
    first.refresh_from_db()
    assert (first.action, first.text, has_new_lease(first)) == ("", "", True)
    make.correct_next(alice, "reject")
    assert make.undo(alice, "correct") == first
    make.correct_next(alice)
    slot = make.claim(bob)
    assert make.undo(alice, "correct") is None
    skip(bob.duty("judge"), item=slot.item.public_id, reason="unclear")
    assert not slot.item.slots.exclude(annotator=None).exists()
    assert make.undo(alice, "correct") is None
    first.refresh_from_db()
    assert (first.action, Judgment.objects.count()) == ("accept", 5)
    assert make.claim(alice, "correct") == second


@both_engines
def test_undo_keeps_a_pair_whose_rewrite_was_rewritten_again(alice):
    first = make.correct_next(alice)
    make.rewrites(alice.project, pair_of(first).sentence2, ["The apple is seen by the cat."])
    assert make.undo(alice, "correct") is None
    first.refresh_from_db()
    assert (first.action, pair_of(first).slots.count()) == ("accept", 5)


@pytest.mark.postgres
def test_undo_locks_the_slots_of_a_pair_before_the_pair_as_its_last_judgment_does(alice):
    make.correct_next(alice)
    with CaptureQueriesContext(connection) as queries:
        make.undo(alice, "correct")
    statements = [each["sql"] for each in queries]
    locks = [sql for sql in statements if "FOR UPDATE" in sql and 'FROM "annotation_slot"' in sql]
    deleted = next(sql for sql in statements if sql.startswith('DELETE FROM "annotation_item"'))
    assert len(locks) == 3  # of the candidate, twice, then of the pair
    assert statements.index(locks[2]) < statements.index(deleted)
