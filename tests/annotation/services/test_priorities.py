"""Some items before others, for people wherever they are in the queue."""

import pytest

from annotation.models import Correction, Judgment
from annotation.services import corrections, judgments, priorities
from tests.annotation import cast
from tests.annotation.services.small_study import reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
BOTH_ORDERS = pytest.mark.parametrize("order", ["depth", "breadth"])


def level(pairs, level):
    return priorities.of_pairs(pairs[0].project, [pair.public_id for pair in pairs], level)


def judged_next(member, number):
    member = reread(member)
    return [cast.judge_next(member).pair for _ in range(number)]


def keys():
    return list(Judgment.objects.order_by("pk").values_list("queue_key", flat=True))


@BOTH_ORDERS
def test_raised_pairs_come_next_and_lowered_ones_last_to_people_at_any_place(order):
    project, [newcomer, late] = study(5, people=2, order=order)
    pairs = list(project.pairs.order_by("pk"))
    assert judged_next(late, 2) == pairs[:2]
    assert level(pairs[4:], 1) == 1
    assert judged_next(late, 3) == [pairs[4], pairs[2], pairs[3]]
    assert judgments.claim(reread(late)) is None
    assert judged_next(newcomer, 1) == pairs[4:]
    assert level(pairs[:1], -1) == 1
    lowered = keys()
    assert [level(pairs[:1], each) for each in (1, 1, -1)] == [1, 0, 1]
    assert keys() == lowered
    assert judged_next(newcomer, 4)[-1] == pairs[0]


@BOTH_ORDERS
def test_nothing_that_lay_ahead_is_lost(order):
    project, people = study(4, people=5, order=order)
    pairs = list(project.pairs.order_by("pk"))
    judged_next(people[0], 3)
    level(pairs[1::2], 1)
    level(pairs[:1], -1)
    for member in people:
        cast.judge_all(reread(member), 1)
    assert not Judgment.objects.filter(label=None).exists()


def test_corrections_are_raised_and_lowered_too():
    project, [alice] = study(people=1)
    cast.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(5)])
    first, second, third, fourth, fifth = Correction.objects.order_by("queue_key")
    assert [cast.correct_next(alice) for _ in range(2)] == [first, second]
    assert priorities.of_corrections(project, [fifth.public_id], 1) == 1
    assert priorities.of_corrections(project, [third.public_id, first.public_id], -1) == 2
    alice = reread(alice)
    assert [cast.correct_next(alice) for _ in range(3)] == [fifth, fourth, third]
    assert corrections.claim(alice) is None
    first.refresh_from_db()
    assert (first.priority, first.queue_key) == (-1, first.candidate_id)


def test_answered_and_set_aside_slots_keep_their_keys():
    project, [alice] = study(1, people=1)
    answered = cast.judge_next(alice)
    Judgment.objects.filter(slot=2).update(queue_key=None)
    level([project.pairs.get()], 1)
    assert keys()[:2] == [answered.queue_key, None]


def test_pairs_of_another_project_and_unknown_levels_change_nothing():
    pair = study(1)[0].pairs.get()
    assert priorities.of_pairs(cast.study(), [pair.public_id], 1) == 0
    with pytest.raises(ValueError, match="no such priority"):
        level([pair], 2)
    assert level([pair], 0) == 0
    pair.refresh_from_db()
    assert pair.priority == 0


def test_the_number_of_statements_does_not_grow_with_that_of_pairs(django_assert_max_num_queries):
    pairs = list(study(60)[0].pairs.all())
    with django_assert_max_num_queries(15):
        level(pairs, 1)
