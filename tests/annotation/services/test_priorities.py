"""Some items before others, for people wherever they are in the queue."""

import pytest

from annotation.models import Correction, Judgment, SentencePair
from annotation.services import corrections, judgments, priorities
from tests.annotation import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
BOTH_ORDERS = pytest.mark.parametrize("order", ["depth", "breadth"])


def study(number, **settings):
    project = cast.study(**settings)
    cast.pairs(project, number)
    return project, list(SentencePair.objects.filter(project=project).order_by("pk"))


def level(project, pairs, level):
    return priorities.of_pairs(project, [pair.public_id for pair in pairs], level)


def judged_next(member, number):
    member.refresh_from_db()
    return [cast.judge_next(member).pair for _ in range(number)]


def keys():
    return list(Judgment.objects.order_by("pk").values_list("queue_key", flat=True))


@BOTH_ORDERS
def test_a_raised_pair_comes_next_to_newcomers_and_to_those_beyond_it(order):
    project, pairs = study(5, order=order)
    newcomer, late = cast.person(project), cast.person(project)
    assert judged_next(late, 2) == pairs[:2]
    assert level(project, [pairs[4]], 1) == 1
    assert judged_next(late, 3) == [pairs[4], pairs[2], pairs[3]]
    assert judgments.claim(late) is None
    assert judged_next(newcomer, 5)[0] == pairs[4]


@BOTH_ORDERS
def test_a_lowered_pair_comes_last_and_finds_its_old_place_when_it_is_raised_again(order):
    project, pairs = study(4, order=order)
    alice = cast.person(project)
    level(project, [pairs[0]], -1)
    assert judged_next(alice, 3) == pairs[1:]
    lowered = keys()
    assert [level(project, [pairs[0]], each) for each in (1, 1, -1)] == [1, 0, 1]
    assert keys() == lowered
    level(project, [pairs[0]], 0)
    assert judged_next(alice, 1) == [pairs[0]]


@BOTH_ORDERS
def test_nothing_that_lay_ahead_is_lost(order):
    project, pairs = study(4, order=order)
    people = [cast.person(project) for _ in range(5)]
    judged_next(people[0], 3)
    level(project, pairs[1::2], 1)
    level(project, pairs[:1], -1)
    for member in people:
        member.refresh_from_db()
        cast.judge_all(member, 1)
    assert not Judgment.objects.filter(label=None).exists()


def test_corrections_are_raised_and_lowered_too():
    project = cast.study()
    cast.candidates(project, [(f"Ada met {n}.", f"{n} met Ada.") for n in range(5)])
    first, second, third, fourth, fifth = Correction.objects.order_by("queue_key")
    alice = cast.person(project)
    assert corrections.claim(alice) == first
    assert [cast.correct_next(alice) for _ in range(2)] == [first, second]
    assert priorities.of_corrections(project, [fifth.public_id], 1) == 1
    assert priorities.of_corrections(project, [third.public_id, first.public_id], -1) == 2
    alice.refresh_from_db()
    assert [cast.correct_next(alice) for _ in range(3)] == [fifth, fourth, third]
    first.refresh_from_db()
    assert (first.priority, first.queue_key) == (-1, first.candidate_id)


def test_answered_and_set_aside_slots_keep_their_keys():
    project, [pair] = study(1)
    answered = cast.judge_next(cast.person(project))
    Judgment.objects.filter(slot=2).update(queue_key=None)
    level(project, [pair], 1)
    assert keys()[:2] == [answered.queue_key, None]


def test_pairs_of_another_project_and_unknown_levels_change_nothing():
    project, [pair] = study(1)
    assert priorities.of_pairs(cast.study(), [pair.public_id], 1) == 0
    with pytest.raises(ValueError, match="no such priority"):
        level(project, [pair], 2)
    assert level(project, [pair], 0) == 0
    pair.refresh_from_db()
    assert pair.priority == 0


def test_the_number_of_statements_does_not_grow_with_that_of_pairs(django_assert_max_num_queries):
    project, pairs = study(60)
    with django_assert_max_num_queries(15):
        level(project, pairs, 1)
