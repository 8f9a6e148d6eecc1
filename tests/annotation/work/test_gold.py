"""Gold pairs: one in each block, once for each person, never decided."""

import pytest

from annotation.errors import Refused
from annotation.models import Consensus, Duty, Judgment
from tests.annotation import make
from tests.annotation.small_study import ONE_EACH, reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
EVERY = 5


@pytest.fixture
def project():
    return study(30, gold_every=EVERY, seed=3)[0]


@pytest.fixture
def alice(project):
    return make.person(project)


def is_gold(slot):
    return slot.item.gold_label is not None


def given(member, number):
    return [is_gold(make.judge_next(member)) for _ in range(number)]


def gold_in_blocks(seen):
    return [sum(seen[at : at + EVERY]) for at in range(0, len(seen), EVERY)]


def until_gold(member):
    while not is_gold(slot := make.claim(member)):
        make.judge_next(member)
    return slot


def gold_of(member):
    own = Judgment.objects.filter(annotator=member.user_id, item__gold_label__isnull=False)
    return list(own.exclude(label=None).order_by("serial").values_list("item", "serial"))


def test_each_block_holds_exactly_one_at_a_place_that_cannot_be_foreseen(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    had = []
    for member in (alice, make.person(project)):
        seen = given(member, 5 * EVERY)
        assert gold_in_blocks(seen) == [1] * 5
        assert len({at % EVERY for at, is_one in enumerate(seen) if is_one}) > 1
        had.append([pair for pair, _ in gold_of(member)])
    assert had[0] != had[1]
    assert [len(set(pairs)) for pairs in had] == [5, 5]
    assert make.turn(alice).tally.total == 5 * EVERY


def test_a_gold_pair_is_given_once_to_each_person_and_never_decided(project):
    for label in (2, -1):
        with pytest.raises(Refused):
            make.gold_pairs(project, [1, label])
    [gold] = make.gold_pairs(project, [1])
    assert not gold.slots.exists()
    for _ in range(6):
        assert sum(given(make.person(project), 3 * EVERY)) == 1
    slots = gold.slots.order_by("number").values_list("number", "queue_key", "label")
    assert list(slots) == [(slot, None, 1) for slot in range(1, 7)]
    assert not Consensus.objects.filter(pair=gold).exists()
    early, people = study(4, people=3, gold_every=2, decides_early=True, **ONE_EACH)
    [gold] = make.gold_pairs(early, [1])
    for member in people:
        make.judge_all(member, 1)
    assert gold.slots.exists()
    decided = Consensus.objects.filter(pair__project=early)
    assert list(decided.values_list("pair__gold_label", flat=True)) == [None] * 4


def test_several_people_but_not_several_accounts_of_one_may_have_a_gold_pair(project, alice):
    make.gold_pairs(project, [1])
    bob, again = make.person(project), make.person(project)
    make.same_person(alice, again)
    held = [until_gold(member) for member in (alice, bob)]
    assert held[0] != held[1]
    assert held[0].item == held[1].item
    assert [slot.person_id for slot in held] == [alice.user_id, bob.user_id]
    assert None not in (held[0].lease_until, held[0].claimed_at)
    assert sum(given(again, 3 * EVERY)) == 0


def test_undo_of_a_gold_pair_or_of_the_answer_before_it_brings_the_same_one_back(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    until_gold(alice)
    answered = make.judge_next(alice)
    following = make.claim(alice)
    assert make.undo(alice) == answered
    assert make.judge_next(alice, 0) == answered
    assert make.claim(alice) == following
    given(alice, EVERY)
    gold = until_gold(alice)
    before = make.undo(alice)
    assert not Judgment.objects.filter(pk=gold.pk).exists()
    assert make.claim(alice) == before
    make.judge_next(alice)
    assert make.claim(alice).item == gold.item
    given(alice, 2 * EVERY)
    blocks = [(serial - 1) // EVERY for _, serial in gold_of(alice)]
    assert blocks == list(range(len(blocks)))


def test_the_place_in_a_block_is_drawn_from_the_seed(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    given(alice, 1)
    drawn = alice.duty("judge").gold_after
    make.undo(alice)
    Duty.objects.filter(membership=alice).update(gold_after=None)
    Judgment.objects.filter(annotator=alice.user_id).update(annotator=None, person=None)
    make.turn(alice)
    assert alice.duty("judge").gold_after == drawn


def test_a_project_that_starts_gold_pairs_late_gives_one_in_each_whole_block(project, alice):
    make.gold_pairs(project, [0, 1] * 4)
    for every, number, blocks in ((None, 12, [0, 0]), (EVERY, 3 + 3 * EVERY, [1, 1, 1])):
        type(project).objects.update(gold_every=every)
        seen = given(reread(alice), number)
        assert (sum(seen[:3]), gold_in_blocks(seen[3:])) == (0, blocks)
