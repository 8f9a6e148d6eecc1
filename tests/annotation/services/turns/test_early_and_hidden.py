"""Pairs that are decided early, whose open slots go, and hidden pairs: one in each block."""

import pytest

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Consensus, Judgment, Membership
from annotation.quality.services import interventions
from tests.annotation import make
from tests.annotation.services import invariants
from tests.annotation.services.small_study import BOTH_ORDERS, ONE_EACH, judge, reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
EARLY = {"decides_early": True}
EVERY = 5
ALL_SAME = (([0, 4], 1, True), 0)


def outcome(project):
    assert invariants.broken(project) == []
    decided = Consensus.objects.filter(pair__project=project).first()
    still_open = Judgment.objects.filter(project=project, submitted_at=None).count()
    return decided and (decided.tally, decided.label, decided.kept), still_open


@BOTH_ORDERS
def test_a_pair_is_decided_once_no_further_answer_could_change_it(subtests, order):
    graded = EARLY | {"protocol": "parade"}
    for settings, labels, expected in (
        (EARLY, (1, 1, 1, 1), ALL_SAME),
        (EARLY, (0, 0, 0, 0), (([4, 0], 0, True), 0)),
        (EARLY, (1, 1, 0, 1), (None, 1)),
        (EARLY, (1, 0, 1, 1, 1), (([1, 4], 1, True), 0)),
        (EARLY, (1, 0, 1, 0, 1), (([2, 3], 1, False), 0)),
        (graded, (3, 2), (([0, 0, 1, 1], 1, True), 0)),
        (graded, (0, 1), (([1, 1, 0, 0], 0, True), 0)),
        (graded, (1, 2), (None, 1)),
        ({}, (1, 1, 1, 1), (None, 1)),
    ):
        with subtests.test(labels=labels, **settings):
            project, _ = study(1, order=order, **settings)
            judge(project, *labels)
            assert outcome(project) == expected
            assert (make.claim(make.person(project)) is None) == (expected[1] == 0)


def test_a_late_answer_or_skip_of_a_pair_that_is_gone_is_refused_and_the_next_pair_comes():
    project, [late] = study(2, people=1, **EARLY)
    judge(project, 1, 1, 1)
    held = make.turn(late).held
    judge(project, 1)
    with pytest.raises(NotHeld):
        make.submit(late, item=held.public_id, label=1)
    with pytest.raises(NotHeld):
        skips.pair(late, pair=held.public_id, reason="unclear")
    turn, refusal = make.turn(late, pair=held.public_id, label=1)
    assert type(refusal) is NotHeld
    assert turn.shown.id == project.pairs.latest("pk").public_id
    assert outcome(project) == (([0, 4], 1, True), 5)


def test_the_answer_that_decided_stands_and_one_that_was_taken_back_does_not_decide():
    project, _ = study(1, **EARLY)
    *_, third = judge(project, 1, 1, 1)
    make.undo(third)
    judge(project, 1)
    assert outcome(project) == (None, 2)
    stored = make.judge_next(third)
    pair = {"pair_public_id": stored.item.public_id}
    assert make.submit(third, **pair, label=1) == stored
    with pytest.raises(AlreadyAnswered):
        make.submit(third, **pair, label=0)
    assert make.undo(third) is None
    assert outcome(project) == ALL_SAME


@BOTH_ORDERS
def test_a_pair_gets_the_slots_that_it_lacks_while_an_answer_is_excluded(order):
    project, _ = study(1, order=order, **EARLY)
    first, *_ = judge(project, 1, 1, 1, 1)
    before = list(Judgment.objects.order_by("pk").values())
    interventions.exclude(first, by=None, reason="Too fast")
    assert outcome(project) == (None, 2)
    interventions.reinstate(first, by=None, reason="They were right")
    assert outcome(project) == ALL_SAME
    assert list(Judgment.objects.order_by("pk").values()) == before
    interventions.exclude(first, by=None, reason="Too fast")
    judge(project, 1)
    assert outcome(project) == ALL_SAME


@pytest.fixture
def project():
    return study(30, gold_every=EVERY, seed=3)[0]


@pytest.fixture
def alice(project):
    return make.person(project)


def is_hidden(judgment):
    return judgment.pair.gold_label is not None


def given(member, number):
    return [is_hidden(make.judge_next(member)) for _ in range(number)]


def hidden_in_blocks(seen):
    return [sum(seen[at : at + EVERY]) for at in range(0, len(seen), EVERY)]


def until_hidden(member):
    while not is_hidden(slot := make.claim(member)):
        make.judge_next(member)
    return slot


def hidden_of(member):
    own = Judgment.objects.filter(annotator=member.user_id, item__gold_label__isnull=False)
    return list(own.exclude(label=None).order_by("number").values_list("pair", "number"))


def test_each_block_holds_exactly_one_at_a_place_that_cannot_be_foreseen(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    had = []
    for member in (alice, make.person(project)):
        seen = given(member, 5 * EVERY)
        assert hidden_in_blocks(seen) == [1] * 5
        assert len({at % EVERY for at, hidden in enumerate(seen) if hidden}) > 1
        had.append([pair for pair, _ in hidden_of(member)])
    assert had[0] != had[1]
    assert [len(set(pairs)) for pairs in had] == [5, 5]
    assert make.turn(alice).tally.total == 5 * EVERY


def test_a_hidden_pair_is_given_once_to_each_person_and_never_decided(project):
    for label in (2, -1):
        with pytest.raises(Refused):
            make.gold_pairs(project, [1, label])
    [hidden] = make.gold_pairs(project, [1])
    assert not hidden.slots.exists()
    for _ in range(6):
        assert sum(given(make.person(project), 3 * EVERY)) == 1
    slots = hidden.slots.order_by("number").values_list("number", "queue_key", "label")
    assert list(slots) == [(slot, None, 1) for slot in range(1, 7)]
    assert not Consensus.objects.filter(pair=hidden).exists()
    early, people = study(4, people=3, gold_every=2, decides_early=True, **ONE_EACH)
    [hidden] = make.gold_pairs(early, [1])
    for member in people:
        make.judge_all(member, 1)
    assert hidden.slots.exists()
    decided = Consensus.objects.filter(pair__project=early)
    assert list(decided.values_list("item__gold_label", flat=True)) == [None] * 4


def test_several_people_but_not_several_accounts_of_one_may_have_a_hidden_pair(project, alice):
    make.gold_pairs(project, [1])
    bob, again = make.person(project), make.person(project)
    make.same_person(alice, again)
    held = [until_hidden(member) for member in (alice, bob)]
    assert held[0] != held[1]
    assert held[0].pair == held[1].pair
    assert [slot.person_id for slot in held] == [alice.user_id, None]
    assert None not in (held[0].lease_until, held[0].claimed_at)
    assert sum(given(again, 3 * EVERY)) == 0


def test_undo_of_a_hidden_pair_or_of_what_came_before_it_brings_the_same_one_back(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    until_hidden(alice)
    answered = make.judge_next(alice)
    following = make.claim(alice)
    assert make.undo(alice) == answered
    assert make.judge_next(alice, 0) == answered
    assert make.claim(alice) == following
    given(alice, EVERY)
    hidden = until_hidden(alice)
    before = make.undo(alice)
    assert not Judgment.objects.filter(pk=hidden.pk).exists()
    assert make.claim(reread(alice)) == before
    make.judge_next(alice)
    assert make.claim(alice).pair == hidden.pair
    given(alice, 2 * EVERY)
    blocks = [(number - 1) // EVERY for _, number in hidden_of(alice)]
    assert blocks == list(range(len(blocks)))


def test_the_place_in_a_block_is_drawn_from_the_seed(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    given(alice, 1)
    drawn = reread(alice).gold_after
    make.undo(alice)
    Membership.objects.filter(pk=alice.pk).update(gold_after=None)
    Judgment.objects.filter(annotator=alice.user_id).update(annotator=None)
    make.turn(reread(alice))
    assert reread(alice).gold_after == drawn


def test_a_project_that_begins_with_hidden_pairs_late_gives_one_in_each_whole_block(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    for every, number, blocks in ((None, 12, [0, 0]), (EVERY, 3 + 3 * EVERY, [1, 1, 1])):
        type(project).objects.update(gold_every=every)
        seen = given(reread(alice), number)
        assert (sum(seen[:3]), hidden_in_blocks(seen[3:])) == (0, blocks)
