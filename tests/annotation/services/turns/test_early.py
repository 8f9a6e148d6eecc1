"""A pair that is decided as soon as enough people agree: what is open then is gone."""

import pytest

from annotation.errors import AlreadyAnswered, NotHeld
from annotation.models import Consensus, Judgment
from annotation.services import interventions, judgments, skips
from tests.annotation import cast
from tests.annotation.services import invariants

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
BOTH_ORDERS = pytest.mark.parametrize("order", ["depth", "breadth"])


def study(pairs=1, **settings):
    project = cast.study(**{"decides_early": True, **settings})
    cast.pairs(project, pairs)
    return project


def judge(project, *labels):
    """Different people give these labels, one after the other."""
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def outcome(project):
    """What is decided, if anything, and how many slots are open."""
    decided = Consensus.objects.filter(pair__project=project).first()
    still_open = Judgment.objects.filter(project=project, label=None).count()
    return decided and (decided.tally, decided.label, decided.kept), still_open


@BOTH_ORDERS
def test_a_pair_is_decided_once_no_further_answer_could_change_it(subtests, order):
    paws, parade = {"protocol": "paws"}, {"protocol": "parade"}
    for settings, labels, expected in (
        (paws, (1, 1, 1, 1), (([0, 4], 1, True), 0)),
        (paws, (0, 0, 0, 0), (([4, 0], 0, True), 0)),
        (paws, (1, 1, 0, 1), (None, 1)),
        (paws, (1, 0, 1, 1, 1), (([1, 4], 1, True), 0)),
        (paws, (1, 0, 1, 0, 1), (([2, 3], 1, False), 0)),
        (parade, (3, 2), (([0, 0, 1, 1], 1, True), 0)),
        (parade, (0, 1), (([1, 1, 0, 0], 0, True), 0)),
        (parade, (1, 2), (None, 1)),
        (paws | {"decides_early": False}, (1, 1, 1, 1), (None, 1)),
    ):
        with subtests.test(labels=labels, **settings):
            project = study(order=order, **settings)
            judge(project, *labels)
            assert outcome(project) == expected
            assert invariants.broken(project) == []
            assert (judgments.claim(cast.person(project)) is None) == (expected[1] == 0)


def test_a_late_answer_or_skip_of_a_pair_that_is_gone_is_refused_and_the_next_pair_comes():
    project = study(pairs=2)
    judge(project, 1, 1, 1)
    late = cast.person(project)
    held = judgments.turn(late).held
    judge(project, 1)
    with pytest.raises(NotHeld):
        judgments.submit(late, pair_public_id=held.public_id, label=1)
    with pytest.raises(NotHeld):
        skips.pair(late, pair=held.public_id, reason="unclear")
    turn, refusal = judgments.answer(late, pair=held.public_id, label=1)
    assert type(refusal) is NotHeld
    assert turn.held.public_id == project.pairs.latest("pk").public_id
    assert Consensus.objects.get().tally == [0, 4]
    assert invariants.broken(project) == []


def test_the_answer_that_decided_stands():
    project = study()
    *_, last = judge(project, 1, 1, 1, 1)
    stored = last.user.judgments.get()
    public_id = project.pairs.get().public_id
    assert judgments.submit(last, pair_public_id=public_id, label=1) == stored
    with pytest.raises(AlreadyAnswered):
        judgments.submit(last, pair_public_id=public_id, label=0)
    assert judgments.undo(last) is None


def test_an_answer_that_was_taken_back_does_not_decide():
    project = study()
    *_, third = judge(project, 1, 1, 1)
    judgments.undo(third)
    judge(project, 1)
    assert outcome(project) == (None, 2)


@BOTH_ORDERS
def test_a_pair_gets_the_slots_that_it_lacks_while_an_answer_is_held_out(order):
    project = study(order=order)
    first, *_ = judge(project, 1, 1, 1, 1)
    before = list(Judgment.objects.order_by("pk").values())
    interventions.hold_out(first, by=None, reason="Too fast")
    assert outcome(project) == (None, 2)
    interventions.reinstate(first, by=None, reason="They were right")
    assert outcome(project) == (([0, 4], 1, True), 0)
    assert list(Judgment.objects.order_by("pk").values()) == before
    interventions.hold_out(first, by=None, reason="Too fast")
    judge(project, 1)
    assert outcome(project) == (([0, 4], 1, True), 0)
    assert invariants.broken(project) == []


def test_a_hidden_pair_is_never_decided():
    one_each = {"judgments_per_pair": 1, "consensus_min_votes": 1}
    project = study(pairs=4, known_every=2, **one_each)
    [hidden] = cast.known_pairs(project, [1])
    for _ in range(3):
        cast.judge_all(cast.person(project), 1)
    assert hidden.judgments.exists()
    assert not Consensus.objects.filter(pair=hidden).exists()
    assert Consensus.objects.count() == 4
