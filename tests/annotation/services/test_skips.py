"""Passing over what one holds, by each rule that a project may have."""

import uuid

import pytest

from annotation.errors import NotHeld, Refused
from annotation.models import Correction, Judgment, Recusal, SentencePair, Skip
from annotation.services import corrections, judgments, skips
from tests.annotation import cast

pytestmark = pytest.mark.django_db
UNCLEAR = Skip.Reason.UNCLEAR


def study(rule, pairs=0, candidates=0, **settings):
    project = cast.study(skipping=rule, **settings)
    if pairs:
        cast.pairs(project, pairs)
    if candidates:
        cast.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(candidates)])
    return project


def held(member):
    """The pair that the person is given."""
    slot = judgments.claim(member)
    return slot and slot.pair


def skip(member, pair, reason=UNCLEAR, note=""):
    return skips.pair(member, pair=pair.public_id, reason=reason, note=note)


def skip_correction(member, correction):
    return skips.correction(member, correction=correction.public_id, reason=UNCLEAR)


def test_a_skip_is_on_record_with_its_reason():
    project = study("later", pairs=1)
    alice = cast.person(project)
    stored = skip(alice, held(alice), Skip.Reason.OTHER, " Half a page is missing. ")
    assert (stored.reason, stored.note) == ("other", "Half a page is missing.")
    assert (stored.project, stored.annotator) == (project, alice.user)


@pytest.mark.parametrize(
    ("rule", "reason", "note"),
    [
        ("forbidden", "unclear", ""),
        ("later", "bored", ""),
        ("later", "other", " "),
        ("later", "unclear", "x" * 501),
    ],
)
def test_what_cannot_be_a_skip_is_refused_and_the_item_stays(rule, reason, note):
    project = study(rule, pairs=1, candidates=1)
    alice = cast.person(project)
    pair, correction = held(alice), corrections.claim(alice)
    with pytest.raises(Refused):
        skip(alice, pair, reason, note)
    with pytest.raises(Refused):
        skips.correction(alice, correction=correction.public_id, reason=reason, note=note)
    assert (held(alice), corrections.claim(alice)) == (pair, correction)
    assert not Skip.objects.exists()


def test_only_what_one_holds_can_be_skipped():
    project, other = study("later", pairs=1, candidates=1), study("later")
    alice, bob, stranger = cast.person(project), cast.person(project), cast.person(other)
    pair, correction = held(alice), corrections.claim(alice)
    for member in (bob, stranger):
        with pytest.raises(NotHeld):
            skip(member, pair)
        with pytest.raises(NotHeld):
            skip_correction(member, correction)
    for nothing in (skips.pair, skips.correction):
        with pytest.raises(NotHeld):
            nothing(alice, **{nothing.__name__: uuid.uuid4()}, reason=UNCLEAR)


def test_an_answer_is_not_skipped_any_more():
    project = study("later", pairs=1)
    alice = cast.person(project)
    judged = cast.judge_next(alice)
    with pytest.raises(NotHeld):
        skip(alice, judged.pair)


def test_sent_twice_it_is_one_skip():
    project = study("others", pairs=2, candidates=2)
    alice = cast.person(project)
    pair, correction = held(alice), corrections.claim(alice)
    assert skip(alice, pair) == skip(alice, pair)
    assert skip_correction(alice, correction) == skip_correction(alice, correction)
    assert Skip.objects.count() == 2
    assert held(alice) != pair


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_later_means_after_everything_else_and_again_and_again(order):
    project = study("later", pairs=3, order=order)
    alice = cast.person(project)
    met = []
    for _ in range(7):
        met.append(held(alice))
        skip(alice, met[-1])
    first, second, third = SentencePair.objects.order_by("pk")
    assert met == [first, second, third, first, second, third, first]


def test_later_leaves_what_was_skipped_to_others_as_well():
    project = study("later", pairs=1, judgments_per_pair=1, consensus_min_votes=1)
    alice, bob = cast.person(project), cast.person(project)
    pair = held(alice)
    assert held(bob) is None
    skip(alice, pair)
    assert held(bob) == pair


def test_a_correction_skipped_for_later_comes_after_everything_else():
    project = study("later", candidates=3)
    alice = cast.person(project)
    met = []
    for _ in range(5):
        met.append(corrections.claim(alice))
        skip_correction(alice, met[-1])
    first, second, third = Correction.objects.order_by("queue_key")
    assert met == [first, second, third, first, second]


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_to_others_means_never_back_to_the_same_person(order):
    project = study("others", pairs=2, order=order, judgments_per_pair=1, consensus_min_votes=1)
    alice, bob = cast.person(project), cast.person(project)
    cast.judge_next(bob)
    skipped = held(alice)
    skip(alice, skipped)
    assert held(alice) is None
    assert Recusal.objects.get(annotator=alice.user).reason == Recusal.Reason.SKIPPED
    assert held(bob) == skipped


def test_a_correction_skipped_to_others_never_comes_back():
    project = study("others", candidates=2)
    alice, bob = cast.person(project), cast.person(project)
    skipped = corrections.claim(alice)
    cast.correct_next(bob)
    skip_correction(alice, skipped)
    assert corrections.claim(alice) is None
    assert corrections.claim(bob) == skipped


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_never_takes_a_pair_from_everybody_but_who_holds_it(order):
    project = study("never", pairs=2, order=order)
    alice, bob = cast.person(project), cast.person(project)
    pair = held(alice)
    bobs = Judgment.objects.get(pk=judgments.claim(bob).pk) if order == "depth" else None
    skip(alice, pair)
    pair.refresh_from_db()
    assert pair.set_aside_at is not None
    assert set(pair.judgments.values_list("queue_key", flat=True)) == {None}
    assert held(cast.person(project)) != pair
    assert held(alice) != pair
    if bobs:
        assert judgments.submit(bob, pair_public_id=pair.public_id, label=1) == bobs


def test_what_was_set_aside_stays_so_when_its_holder_skips_it_by_another_rule():
    project = study("never", pairs=1)
    alice, bob = cast.person(project), cast.person(project)
    pair = held(alice)
    assert held(bob) == pair
    skip(alice, pair)
    project.skipping = "later"
    project.save()
    place = bob.judgment_place
    skip(bob, pair)
    assert bob.judgment_place == place
    assert [held(member) for member in (bob, cast.person(project))] == [None, None]


def test_what_was_set_aside_while_it_was_held_goes_back_to_no_queue():
    project = study("never", pairs=2)
    alice, bob = cast.person(project), cast.person(project)
    first = cast.judge_next(alice)
    cast.judge_next(bob)
    second = held(alice)
    skip(bob, held(bob))
    assert judgments.undo(alice) == first
    assert set(second.judgments.values_list("annotator", "queue_key")) == {(None, None)}
    assert cast.judge_all(alice, 1) == 1


def test_never_takes_a_correction_from_everybody():
    project = study("never", candidates=1)
    alice = cast.person(project)
    item = corrections.claim(alice)
    skip_correction(alice, item)
    item.refresh_from_db()
    assert (item.queue_key, item.annotator) == (None, None)
    assert item.set_aside_at is not None
    assert corrections.claim(cast.person(project)) is None


@pytest.mark.parametrize("rule", ["later", "others", "never"])
def test_a_hidden_pair_is_simply_over_for_who_skips_it(rule):
    project = study(rule, pairs=8, known_every=2)
    [hidden] = cast.known_pairs(project, [1])
    alice, bob = cast.person(project), cast.person(project)
    while (pair := held(alice)) != hidden:
        judgments.submit(alice, pair_public_id=pair.public_id, label=1)
    skip(alice, pair)
    skip(alice, pair)
    hidden.refresh_from_db()
    assert (hidden.set_aside_at, hidden.judgments.count()) == (None, 0)
    while pair := held(alice):
        assert pair != hidden
        judgments.submit(alice, pair_public_id=pair.public_id, label=1)
    cast.judge_all(bob, 1)
    assert hidden.judgments.get().annotator == bob.user
