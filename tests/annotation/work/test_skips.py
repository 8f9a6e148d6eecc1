"""Passing over what one holds, by each rule of a project; what was set aside comes back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import NotHeld, Refused
from annotation.models import Correction, Judgment, Project, Recusal, SentencePair, Skip
from tests.annotation import make
from tests.annotation.services.small_study import BOTH_ORDERS, ONE_EACH, reread, study

pytestmark = pytest.mark.django_db


def start(rule, *, pairs=1, **settings):
    project, people = study(pairs, people=2, skipping=rule, **settings)
    make.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(pairs)])
    return project, *people


def held(member):
    slot = make.claim(member)
    return slot and slot.item


def both_held(member):
    return held(member), make.claim(member, "correct")


def skip(member, item, reason="unclear", note=""):
    service = skips.correction if isinstance(item, Correction) else skips.pair
    return service(member, **{service.__name__: item.public_id}, reason=reason, note=note)


def test_a_skip_is_on_record_with_its_reason_and_refused_without_a_fitting_one(subtests):
    for rule, reason, note in (
        ("forbidden", "unclear", ""),
        ("later", "bored", ""),
        ("later", "other", " "),
        ("later", "unclear", "x" * 501),
    ):
        with subtests.test(rule=rule, reason=reason, note=note):
            project, alice, _ = start(rule)
            items = both_held(alice)
            for item in items:
                with pytest.raises(Refused):
                    skip(alice, item, reason, note)
            assert both_held(alice) == items
    assert not Skip.objects.exists()
    stored = skip(alice, items[0], "other", " Half a page is missing. ")
    assert (stored.reason, stored.note) == ("other", "Half a page is missing.")
    assert (stored.project, stored.annotator) == (project, alice.user)
    assert skip(alice, held(alice), note="x" * 500).note == "x" * 500


def test_only_what_one_holds_can_be_skipped():
    _, alice, bob = start("later")
    _, stranger, _ = start("later")
    items = both_held(alice)
    tries = [(member, item) for member in (bob, stranger) for item in items]
    for member, item in (*tries, (alice, SentencePair()), (alice, Correction())):
        with pytest.raises(NotHeld):
            skip(member, item)
    make.judge_next(alice)
    make.correct_next(alice, "reject")
    for item in items:
        with pytest.raises(NotHeld):
            skip(alice, item)
    assert not Skip.objects.exists()


@pytest.mark.both_engines
@BOTH_ORDERS
def test_later_means_after_everything_else_and_again_and_again_and_to_others_at_once(order):
    project, alice, bob = start("later", pairs=3, order=order, **ONE_EACH)
    given = []
    for _ in range(7):
        given.append(both_held(alice))
        for item in given[-1]:
            skip(alice, item)
    slot = given[-1][0].judgments.get()
    assert (slot.annotator, slot.lease_until, slot.person) == (None, None, None)
    assert timezone.now() - slot.claimed_at < timedelta(minutes=5)
    assert both_held(bob) == given[-1]
    items = Correction.objects.filter(project=project).order_by("pk")
    first, second, third = zip(project.pairs.order_by("pk"), items, strict=True)
    assert given == [first, second, third, first, second, third, first]


@pytest.mark.both_engines
@BOTH_ORDERS
def test_to_others_means_never_back_to_the_same_person_however_often_it_is_sent(order):
    _, alice, bob = start("others", pairs=2, order=order, **ONE_EACH)
    make.judge_next(bob)
    make.correct_next(bob, "reject")
    pair, correction = items = both_held(alice)
    assert skip(alice, correction) == skip(alice, correction)
    assert both_held(alice) == (pair, None)
    assert skip(alice, pair) == skip(alice, pair)
    assert both_held(alice) == (None, None)
    assert Skip.objects.count() == 2
    recusal = Recusal.objects.get(annotator=alice.user)
    assert (recusal.pair, recusal.reason) == (items[0], "skipped")
    assert both_held(bob) == items


@pytest.mark.both_engines
@BOTH_ORDERS
def test_never_sets_a_pair_aside_for_all_but_who_holds_it_until_it_is_put_back(order):
    project, alice, bob = start("never", pairs=3, order=order)
    far_beyond, *others = (make.person(project) for _ in range(4))
    pair, slot_of_bob = held(alice), make.claim(bob)
    skip(alice, pair)
    pair.refresh_from_db()
    assert pair.set_aside_at is not None
    assert set(pair.slots.values_list("queue_key", flat=True)) == {None}
    assert held(alice) != pair
    assert (slot_of_bob.pair == pair) == (order == "depth")
    stored = make.submit(bob, item=slot_of_bob.item.public_id, label=1)
    assert (stored, stored.label) == (slot_of_bob, 1)
    assert make.judge_all(far_beyond, 1) == (2 if order == "depth" else 1)
    not_aside = Judgment.objects.exclude(pair=pair).order_by("pk")
    before = list(not_aside.values())
    ids = list(project.pairs.values_list("public_id", flat=True))
    assert set_aside.put_pairs_back(make.study(), ids) == 0
    assert set_aside.put_pairs_back(project, ids) == 1
    assert list(not_aside.values()) == before
    pair.refresh_from_db()
    assert pair.set_aside_at is None
    far_beyond = reread(far_beyond)
    assert held(far_beyond) == pair
    for member in (far_beyond, alice, bob, *others):
        make.judge_all(reread(member), 1)
    assert list(pair.slots.values_list("label", flat=True)) == [1] * 5


@pytest.mark.both_engines
def test_never_sets_a_correction_aside_until_it_is_put_back():
    project, alice, bob = start("never", pairs=2)
    item = make.claim(alice, "correct")
    skip(alice, item)
    make.correct_next(bob)
    item.refresh_from_db()
    assert (item.queue_key, item.annotator) == (None, None)
    assert item.set_aside_at is not None
    assert [make.claim(member, "correct") for member in (alice, bob)] == [None, None]
    Correction.objects.filter(pk=item.pk).update(claimed_at=None)
    for where, number in ((make.study(), 0), (project, 1), (project, 0)):
        assert set_aside.put_corrections_back(where, [item.public_id]) == number
    item.refresh_from_db()
    assert (item.set_aside_at, item.queue_key) == (None, item.candidate_id)
    assert item.claimed_at is not None
    assert make.claim(reread(bob), "correct") == item


def test_what_was_set_aside_goes_back_to_no_queue_when_its_holder_lets_go_of_it():
    project, alice, bob = start("never", pairs=2)
    first = make.judge_next(alice)
    make.judge_next(bob)
    second = held(alice)
    assert held(bob) == second
    skip(bob, second)
    assert make.undo(alice) == first
    assert set(second.judgments.values_list("annotator", "queue_key")) == {(None, None)}
    assert make.judge_all(alice, 1) == 1
    carol, dora = make.person(project), make.person(project)
    pair = held(carol)
    assert held(dora) == pair == first.pair
    skip(carol, pair)
    Project.objects.filter(pk=project.pk).update(skipping="later")
    dora = reread(dora)
    place = dora.judgment_place
    skip(dora, pair)
    assert dora.judgment_place == place
    assert [held(member) for member in (dora, make.person(project))] == [None, None]


def test_a_hidden_pair_is_simply_over_for_who_skips_it(subtests):
    for rule in ("later", "others", "never"):
        with subtests.test(rule=rule):
            project, alice, bob = start(rule, pairs=6, gold_every=2)
            [hidden] = make.gold_pairs(project, [1])
            while held(alice) != hidden:
                make.judge_next(alice)
            assert skip(alice, hidden) == skip(alice, hidden)
            hidden.refresh_from_db()
            make.judge_all(alice, 1)
            assert (hidden.set_aside_at, hidden.slots.count()) == (None, 0)
            make.judge_all(bob, 1)
            assert hidden.slots.get().annotator == bob.user
