"""Skipping the item in progress, by each rule of a project; items that were set aside come back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import NotHeld, Refused
from annotation.models import Item, Judgment, Project, Recusal, Skip, Slot
from annotation.work import order, skips
from tests.annotation import make
from tests.annotation.small_study import (
    BOTH_ORDERS,
    EVERY_KIND,
    ONE_EACH,
    items,
    reread,
    study,
)

pytestmark = pytest.mark.django_db
both_engines = pytest.mark.both_engines


def start(rule, kind, number=1, **settings):
    project, people = study(people=2, skipping=rule, **settings)
    return project, items(project, kind, number), *people


def held(member, kind="judge"):
    slot = make.claim(member, kind)
    return slot and slot.item


def skip(member, item, reason="unclear", note=""):
    return skips.skip(member.duty(item.kind), item=item.public_id, reason=reason, note=note)


def answer_next(member, kind):
    return make.judge_next(member) if kind == "judge" else make.correct_next(member, "reject")


@EVERY_KIND
@pytest.mark.parametrize(
    ("rule", "reason", "note"),
    [
        ("forbidden", "unclear", ""),
        ("later", "bored", ""),
        ("later", "other", " "),
        ("later", "unclear", "x" * 501),
    ],
    ids=["forbidden", "unknown reason", "without a note", "long note"],
)
def test_a_skip_is_refused_without_a_fitting_reason_or_where_it_is_forbidden(
    kind, rule, reason, note
):
    _, _, alice, _ = start(rule, kind)
    item = held(alice, kind)
    with pytest.raises(Refused):
        skip(alice, item, reason, note)
    assert held(alice, kind) == item
    assert not Skip.objects.exists()


def test_a_skip_is_on_record_with_its_reason():
    project, _, alice, _ = start("later", "judge")
    stored = skip(alice, held(alice), "other", " Half a page is missing. ")
    assert (stored.reason, stored.note) == ("other", "Half a page is missing.")
    assert (stored.project, stored.annotator) == (project, alice.user)
    assert skip(alice, held(alice), note="x" * 500).note == "x" * 500


@EVERY_KIND
def test_only_the_item_in_progress_can_be_skipped(kind):
    _, _, alice, bob = start("later", kind)
    _, _, stranger, _ = start("later", kind)
    item = held(alice, kind)
    for member, other in ((bob, item), (stranger, item), (alice, Item(kind=kind))):
        with pytest.raises(NotHeld):
            skip(member, other)
    answer_next(alice, kind)
    with pytest.raises(NotHeld):
        skip(alice, item)
    assert not Skip.objects.exists()


@both_engines
@EVERY_KIND
@BOTH_ORDERS
def test_later_means_after_everything_else_again_and_again_and_to_others_at_once(order, kind):
    _, [first, second, third], alice, bob = start("later", kind, 3, order=order, **ONE_EACH)
    given = []
    for _ in range(7):
        given.append(held(alice, kind))
        skip(alice, given[-1])
    slot = given[-1].slots.get()
    assert (slot.annotator, slot.lease_until, slot.person) == (None, None, None)
    assert timezone.now() - slot.claimed_at < timedelta(minutes=5)
    assert held(bob, kind) == given[-1]
    assert given == [first, second, third, first, second, third, first]


@both_engines
@EVERY_KIND
@BOTH_ORDERS
def test_to_others_means_never_back_to_the_same_person_however_often_it_is_sent(order, kind):
    _, _, alice, bob = start("others", kind, 2, order=order, **ONE_EACH)
    answer_next(bob, kind)
    item = held(alice, kind)
    assert skip(alice, item) == skip(alice, item)
    assert held(alice, kind) is None
    assert Skip.objects.count() == 1
    recusal = Recusal.objects.get(annotator=alice.user)
    assert (recusal.item, recusal.reason) == (item, "skipped")
    assert held(bob, kind) == item


@both_engines
@EVERY_KIND
def test_never_sets_an_item_aside_until_it_is_put_back(kind):
    project, _, alice, bob = start("never", kind, 2, **ONE_EACH)
    item = held(alice, kind)
    skip(alice, item)
    answer_next(bob, kind)
    item.refresh_from_db()
    slot = item.slots.get()
    assert (slot.queue_key, slot.annotator, item.set_aside_at is None) == (None, None, False)
    assert [held(member, kind) for member in (alice, bob)] == [None, None]
    Slot.objects.filter(pk=slot.pk).update(claimed_at=None)
    for where, number in ((make.study(), 0), (project, 1), (project, 0)):
        assert order.put_back(where, [item.public_id]) == number
    item.refresh_from_db()
    assert (item.set_aside_at, item.slots.get().queue_key is None) == (None, False)
    assert held(bob, kind) == item


@both_engines
@pytest.mark.parametrize("by", ["depth", "breadth"])
def test_never_sets_a_pair_aside_for_all_but_those_who_have_it_in_progress(by):
    project, _, alice, bob = start("never", "judge", 3, order=by)
    far_beyond, *others = (make.person(project) for _ in range(4))
    pair, slot_of_bob = held(alice), make.claim(bob)
    skip(alice, pair)
    assert set(pair.slots.values_list("queue_key", flat=True)) == {None}
    assert held(alice) != pair
    assert (slot_of_bob.item == pair) == (by == "depth")
    stored = make.submit(bob, item=slot_of_bob.item.public_id, label=1)
    assert (stored, stored.label) == (slot_of_bob, 1)
    assert make.judge_all(far_beyond, 1) == (2 if by == "depth" else 1)
    not_aside = Judgment.objects.exclude(item=pair).order_by("pk")
    before = list(not_aside.values())
    ids = list(project.pairs.values_list("public_id", flat=True))
    assert order.put_back(project, ids) == 1
    assert list(not_aside.values()) == before
    assert held(far_beyond) == pair
    for member in (far_beyond, alice, bob, *others):
        make.judge_all(member, 1)
    assert list(pair.slots.values_list("label", flat=True)) == [1] * 5


def test_an_item_that_is_set_aside_enters_no_queue_when_somebody_releases_it():
    project, _, alice, bob = start("never", "judge", 2)
    first = make.judge_next(alice)
    make.judge_next(bob)
    second = held(alice)
    assert held(bob) == second
    skip(bob, second)
    assert make.undo(alice) == first
    assert set(second.slots.values_list("annotator", "queue_key")) == {(None, None)}
    assert make.judge_all(alice, 1) == 1
    carol, dora = make.person(project), make.person(project)
    pair = held(carol)
    assert held(dora) == pair == first.item
    skip(carol, pair)
    Project.objects.filter(pk=project.pk).update(skipping="later")
    dora = reread(dora)
    place = dora.duty("judge").place
    skip(dora, pair)
    assert dora.duty("judge").place == place
    assert [held(member) for member in (dora, make.person(project))] == [None, None]


@both_engines
@EVERY_KIND
@BOTH_ORDERS
@pytest.mark.parametrize("rule", ["later", "others", "never"])
def test_undo_after_a_skip_takes_back_the_skip_and_then_the_answer_before(rule, order, kind):
    _, [first, second, third], alice, bob = start(rule, kind, 3, order=order, **ONE_EACH)
    answer_next(alice, kind)
    for item in (second, third):
        assert held(alice, kind) == item
        skip(alice, item)
    for item in (third, second):
        undone = make.undo(alice, kind)
        assert (undone.item, undone.annotator, held(alice, kind)) == (item, alice.user, item)
        assert item.skips.count() + item.recusals.count() == 0
        assert Item.objects.get(pk=item.pk).set_aside_at is None
    assert held(bob, kind) == third
    if kind == "correct":
        assert make.undo(alice, kind).item == first
    assert Slot.objects.answered().count() == (kind == "judge")


@pytest.mark.parametrize("rule", ["later", "others"])
def test_a_skip_is_final_once_somebody_else_has_the_item(rule):
    _, [_, second], alice, bob = start(rule, "judge", 2, **ONE_EACH)
    answered = make.judge_next(alice)
    assert held(alice) == second
    skip(alice, second)
    assert held(bob) == second
    assert make.undo(alice) is None
    answered.refresh_from_db()
    assert (answered.label, Skip.objects.count()) == (1, 1)


@pytest.mark.parametrize("rule", ["later", "others", "never"])
def test_undo_takes_back_the_skip_of_a_gold_pair(rule):
    project, _, alice, _ = start(rule, "judge", 6, gold_every=2)
    [gold] = make.gold_pairs(project, [1])
    while held(alice) != gold:
        make.judge_next(alice)
    skip(alice, gold)
    assert held(alice) != gold
    assert make.undo(alice).item == gold == held(alice)
    assert gold.slots.get().annotator == alice.user


@pytest.mark.parametrize("rule", ["others", "never"])
def test_a_gold_pair_never_comes_back_to_a_person_who_skips_it(rule):
    project, _, alice, bob = start(rule, "judge", 6, gold_every=2)
    [gold] = make.gold_pairs(project, [1])
    while held(alice) != gold:
        make.judge_next(alice)
    assert skip(alice, gold) == skip(alice, gold)
    gold.refresh_from_db()
    make.judge_all(alice, 1)
    assert (gold.set_aside_at, gold.slots.count()) == (None, 0)
    make.judge_all(bob, 1)
    assert gold.slots.get().annotator == bob.user


@both_engines
def test_later_gold_pairs_come_back_too_after_all_others_again_and_again():
    project, pairs, alice, _ = start("later", "judge", 6, gold_every=2)
    gold = make.gold_pairs(project, [1, 1])
    given = []
    while len(given) < 6:
        item = held(alice)
        given += [item] if item.gold_label is not None else []
        if item.gold_label is None:
            make.judge_next(alice)
        else:
            skip(alice, item)
    assert set(given[:2]) == {*gold}
    assert given[:2] == given[2:4] == given[4:]
    assert Slot.objects.answered().count() == len(pairs)
    assert make.judge_all(alice, 1) == 2
    assert held(alice) is None


@both_engines
def test_later_a_reserved_slot_comes_back_after_the_others():
    _, pairs, alice, _ = start("later", "judge", 4)
    reserved = [pair.slots.get(number=5) for pair in pairs[:2]]
    Slot.objects.filter(pk__in=[slot.pk for slot in reserved]).update(reserved=True)
    alice.duties.update(takes_reserved=True)
    for pair in pairs[:2]:
        assert held(alice) == pair
        skip(alice, pair)
    Slot.objects.filter(item__in=pairs[:2], reserved=False).update(queue_key=None)
    assert [make.judge_next(alice).item for _ in pairs[2:]] == pairs[2:]
    for pair in (*pairs[:2], *pairs[:2]):
        assert held(alice) == pair
        skip(alice, pair)
