"""One more person at a time is asked about a pair, until enough agree or nobody else is asked."""

import pytest

from annotation.errors import Complete
from annotation.models import Consensus, Judgment
from annotation.pairs.services import pair_exclusions
from annotation.work import answers, keys
from tests.annotation import invariants, make
from tests.annotation.small_study import BOTH_ORDERS, judge, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
THREE_TO_FIVE = {"judgments_per_pair": 3, "consensus_min_votes": 3, "judgments_at_most": 5}


def slots_waiting(project):
    """The numbers of the open slots, and the slot count of their pair."""
    assert invariants.broken(project) == []
    slots = Judgment.objects.filter(project=project, submitted_at=None).order_by("item", "number")
    return list(slots.values_list("number", "item__slot_count"))


@BOTH_ORDERS
def test_the_last_answer_asks_one_more_person_until_the_lead_is_reached(subtests, order):
    for labels, verdict in (
        ((1, 1, 1), ([0, 3], None, 1, True)),
        ((1, 0, 1, 1, 1), ([1, 4], [1, 2], 1, True)),
        ((1, 0, 1, 1, 0), ([2, 3], [1, 2], 1, False)),
    ):
        with subtests.test(labels=labels):
            project, _ = study(1, order=order, **THREE_TO_FIVE)
            decided = Consensus.objects.filter(pair__project=project)
            for number, label in enumerate(labels):
                assert not decided.exists()
                assert len(slots_waiting(project)) == max(1, 3 - number)
                judge(project, label)
            assert decided.values_list("tally", "first_tally", "label", "kept").get() == verdict
            assert slots_waiting(project) == []
            assert make.claim(make.person(project)) is None


def test_in_depth_one_more_person_is_asked_after_the_first_of_all_pairs():
    project, [late] = study(2, people=1, **THREE_TO_FIVE)
    first, second = project.pairs.order_by("pk")
    for member, label in zip([make.person(project) for _ in range(3)], (1, 1, 0), strict=True):
        make.judge_next(member, label)
    assert [make.judge_next(late, 1).item_id for _ in range(2)] == [second.pk, first.pk]


def test_a_person_who_is_past_the_pair_is_asked_too():
    _project, [*first, idle] = study(1, people=4, **THREE_TO_FIVE)
    for member in first:
        pair = make.claim(member).item.public_id
    assert make.claim(idle) is None
    for member, label in zip(first, (1, 1, 0), strict=True):
        make.submit(member, item=pair, label=label)
    assert make.claim(idle).number == 4


def test_an_undo_takes_back_the_question_to_one_more_person():
    project, _ = study(1, **THREE_TO_FIVE)
    *_, last = judge(project, 1, 1, 0)
    assert slots_waiting(project) == [(4, 4)]
    assert make.undo(last).label is None
    assert slots_waiting(project) == [(3, 3)]
    make.submit(last, item=project.pairs.get().public_id, label=0)
    assert slots_waiting(project) == [(4, 4)]


def test_there_is_no_undo_once_one_more_person_has_the_pair():
    project, [late] = study(1, people=1, **THREE_TO_FIVE)
    *_, last = judge(project, 1, 1, 0)
    assert make.claim(late).number == 4
    assert make.undo(last) is None
    make.judge_next(late, 1)
    for member, undone in ((last, False), (late, True)):
        assert (make.undo(member) is not None) == undone
    assert slots_waiting(project) == [(4, 4)]


def test_a_changed_answer_may_settle_a_pair_that_waited_for_one_more_person():
    project, _ = study(1, **THREE_TO_FIVE)
    *_, last = judge(project, 1, 1, 0)
    pair = project.pairs.get().public_id
    answers.change(last.duty("judge"), item=pair, label=1)
    assert (slots_waiting(project), Consensus.objects.get().tally) == ([], [0, 3])
    with pytest.raises(Complete):
        answers.change(last.duty("judge"), item=pair, label=0)


def test_nobody_is_asked_about_a_pair_that_is_excluded():
    project, [late] = study(1, people=1, **THREE_TO_FIVE)
    *_, manager = judge(project, 1, 1, 0)
    pair = project.pairs.get()
    pair_exclusions.exclude(pair, by=manager.user, reason="broken")
    assert make.claim(late) is None
    pair_exclusions.include(pair, by=manager.user)
    assert make.claim(late).number == 4


def test_keys_for_one_more_person_follow_those_of_all_items_in_their_band():
    last_item = keys.BAND // 2 // keys.KEYS_PER_ITEM - 1
    for priority in (-1, 0, 1):
        first_slot = keys.in_depth(last_item, 127, priority=priority)
        one_more = keys.in_depth(1, 4, priority=priority) + keys.LATER
        assert first_slot < one_more < keys.in_depth(1, 1, priority=priority - 1)
