"""A pair that is decided as soon as enough people agree: what is open then is gone."""

import pytest

from annotation.errors import AlreadyAnswered, NotHeld
from annotation.models import Consensus, Judgment
from annotation.services import interventions, judgments, skips
from tests.annotation import cast
from tests.annotation.services import invariants

pytestmark = pytest.mark.django_db
ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


@pytest.fixture(params=["depth", "breadth"])
def project(request):
    project = cast.study(order=request.param, decides_early=True)
    cast.pairs(project, 1)
    return project


def judge(project, *labels):
    """Different people give these labels, one after the other."""
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def slots(project):
    return list(Judgment.objects.filter(project=project).order_by("slot"))


def test_four_that_agree_decide_a_pair(project):
    judge(project, 1, 1, 1, 1)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([0, 4], 1, True)
    assert [slot.label for slot in slots(project)] == [1, 1, 1, 1]
    assert invariants.broken(project) == []


def test_nobody_is_asked_any_more(project):
    judge(project, 0, 0, 0, 0)
    assert judgments.claim(cast.person(project)) is None


def test_three_that_agree_do_not_decide_it(project):
    judge(project, 1, 1, 0, 1)
    assert not Consensus.objects.exists()
    assert [slot.label for slot in slots(project)].count(None) == 1


def test_four_to_one_is_decided_by_the_fifth(project):
    judge(project, 1, 0, 1, 1, 1)
    assert Consensus.objects.get().tally == [1, 4]


def test_three_to_two_is_decided_and_not_kept(project):
    judge(project, 1, 0, 1, 0, 1)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([2, 3], 1, False)


def test_a_project_that_does_not_decide_early_asks_all_five():
    project = cast.study()
    cast.pairs(project, 1)
    judge(project, 1, 1, 1, 1)
    assert not Consensus.objects.exists()
    assert len(slots(project)) == 5


def test_grades_of_one_side_agree():
    project = cast.study(protocol="parade", decides_early=True)
    cast.pairs(project, 1)
    judge(project, 3, 2)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([0, 0, 1, 1], 1, True)


def test_whoever_holds_the_last_slot_does_not_hold_it_any_more(project):
    judge(project, 1, 1, 1)
    late, last = cast.person(project), cast.person(project)
    if project.order == "depth":
        held = judgments.claim(late)
        cast.judge_next(last, 1)
        with pytest.raises(NotHeld):
            judgments.submit(late, pair_public_id=held.pair.public_id, label=1)
        assert Consensus.objects.get().tally == [0, 4]
        assert invariants.broken(project) == []


def test_a_late_answer_brings_the_next_pair():
    project = cast.study(decides_early=True)
    cast.pairs(project, 2)
    judge(project, 1, 1, 1)
    late = cast.person(project)
    held = judgments.turn(late).held
    judge(project, 1)
    turn, refusal = judgments.answer(late, pair=held.public_id, label=1)
    assert isinstance(refusal, NotHeld)
    assert turn.held is not None
    assert turn.held.public_id != held.public_id


def test_who_passes_a_pair_that_is_gone_is_told_so():
    project = cast.study(decides_early=True)
    cast.pairs(project, 1)
    judge(project, 1, 1, 1)
    late = cast.person(project)
    held = judgments.turn(late).held
    judge(project, 1)
    with pytest.raises(NotHeld):
        skips.pair(late, pair=held.public_id, reason="unclear")


def test_the_answer_that_decided_is_the_same_when_it_is_sent_again(project):
    *_, last = judge(project, 1, 1, 1, 1)
    [stored] = [slot for slot in slots(project) if slot.annotator_id == last.user_id]
    public_id = project.pairs.get().public_id
    assert judgments.submit(last, pair_public_id=public_id, label=1) == stored
    with pytest.raises(AlreadyAnswered):
        judgments.submit(last, pair_public_id=public_id, label=0)


def test_the_answer_that_decided_cannot_be_undone(project):
    *_, last = judge(project, 1, 1, 1, 1)
    assert judgments.undo(last) is None


def test_an_answer_that_was_taken_back_does_not_decide(project):
    *_, third = judge(project, 1, 1, 1)
    judgments.undo(third)
    judge(project, 1)
    assert not Consensus.objects.exists()


def test_a_pair_whose_answer_is_held_out_gets_all_slots_that_it_lacks(project):
    random, *_ = judge(project, 1, 1, 1, 1)
    interventions.hold_out(random, by=None, reason="Too fast")
    assert not Consensus.objects.exists()
    assert [slot.label for slot in slots(project)].count(None) == 2
    assert invariants.broken(project) == []
    judge(project, 1)
    assert Consensus.objects.get().tally == [0, 4]


def test_an_answer_that_is_put_back_decides_again(project):
    random, *_ = judge(project, 1, 1, 1, 1)
    before = list(Judgment.objects.order_by("pk").values())
    interventions.hold_out(random, by=None, reason="Too fast")
    interventions.reinstate(random, by=None, reason="They were right")
    assert Consensus.objects.get().tally == [0, 4]
    assert list(Judgment.objects.order_by("pk").values()) == before


def test_a_hidden_pair_is_never_decided():
    project = cast.study(decides_early=True, known_every=2, **ONE_EACH)
    cast.pairs(project, 4)
    cast.known_pairs(project, [1])
    for _ in range(3):
        cast.judge_all(cast.person(project), 1)
    assert not Consensus.objects.filter(pair__known_label__isnull=False).exists()
    assert Consensus.objects.count() == 4


@pytest.mark.postgres
@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_an_answer_is_one_statement_and_the_deciding_one_two(order, django_assert_num_queries):
    project = cast.study(decides_early=True, order=order)
    cast.pairs(project, 2)
    for statements in (1, 1, 1, 2):
        member = cast.person(project)
        held = judgments.turn(member).held
        with django_assert_num_queries(statements):
            judgments.answer(member, pair=held.public_id, label=1)
    assert Consensus.objects.count() <= 1
