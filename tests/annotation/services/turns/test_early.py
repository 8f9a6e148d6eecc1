"""A pair that is decided as soon as enough people agree: what is open then is gone."""

import pytest

from annotation.errors import AlreadyAnswered, NotHeld
from annotation.models import Consensus, Judgment
from annotation.services import interventions, judgments, skips
from tests.annotation import cast
from tests.annotation.services import invariants
from tests.annotation.services.small_study import BOTH_ORDERS, judge, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
EARLY = {"decides_early": True}
ALL_SAME = (([0, 4], 1, True), 0)


def outcome(project):
    """What is decided, if anything, and how many slots are open."""
    assert invariants.broken(project) == []
    decided = Consensus.objects.filter(pair__project=project).first()
    still_open = Judgment.objects.filter(project=project, label=None).count()
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
            assert (judgments.claim(cast.person(project)) is None) == (expected[1] == 0)


def test_a_late_answer_or_skip_of_a_pair_that_is_gone_is_refused_and_the_next_pair_comes():
    project, [late] = study(2, people=1, **EARLY)
    judge(project, 1, 1, 1)
    held = judgments.turn(late).held
    judge(project, 1)
    with pytest.raises(NotHeld):
        judgments.submit(late, pair_public_id=held.public_id, label=1)
    with pytest.raises(NotHeld):
        skips.pair(late, pair=held.public_id, reason="unclear")
    turn, refusal = judgments.answer(late, pair=held.public_id, label=1)
    assert type(refusal) is NotHeld
    assert turn.held.public_id == project.pairs.latest("pk").public_id
    assert outcome(project) == (([0, 4], 1, True), 5)


def test_the_answer_that_decided_stands_and_one_that_was_taken_back_does_not_decide():
    project, _ = study(1, **EARLY)
    *_, third = judge(project, 1, 1, 1)
    judgments.undo(third)
    judge(project, 1)
    assert outcome(project) == (None, 2)
    stored = cast.judge_next(third)
    pair = {"pair_public_id": stored.pair.public_id}
    assert judgments.submit(third, **pair, label=1) == stored
    with pytest.raises(AlreadyAnswered):
        judgments.submit(third, **pair, label=0)
    assert judgments.undo(third) is None
    assert outcome(project) == ALL_SAME


@BOTH_ORDERS
def test_a_pair_gets_the_slots_that_it_lacks_while_an_answer_is_held_out(order):
    project, _ = study(1, order=order, **EARLY)
    first, *_ = judge(project, 1, 1, 1, 1)
    before = list(Judgment.objects.order_by("pk").values())
    interventions.hold_out(first, by=None, reason="Too fast")
    assert outcome(project) == (None, 2)
    interventions.reinstate(first, by=None, reason="They were right")
    assert outcome(project) == ALL_SAME
    assert list(Judgment.objects.order_by("pk").values()) == before
    interventions.hold_out(first, by=None, reason="Too fast")
    judge(project, 1)
    assert outcome(project) == ALL_SAME
