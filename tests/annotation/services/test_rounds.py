"""Pairs on which too few people agree are asked of as many others anew."""

import pytest

from annotation.models import Consensus, Judgment, Reopening, SentencePair
from annotation.queue_keys import KEYS_PER_PAIR
from annotation.selectors import tables
from annotation.selectors.dashboard import rows
from annotation.services import adjudication, interventions, judgments, rounds
from tests.annotation import cast
from tests.annotation.services import invariants

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["depth", "breadth"])
def project(request):
    """Three answers a pair, all of which must agree."""
    project = cast.study(judgments_per_pair=3, consensus_min_votes=3, order=request.param)
    cast.pairs(project, 1)
    return project


def judge(project, *labels):
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def reopen(project, by=None):
    public_ids = list(project.pairs.values_list("public_id", flat=True))
    return rounds.reopen(project, public_ids, by=by or cast.person(project).user)


def counted(project):
    return list(rows.counted(project).order_by("slot").values_list("label", flat=True))


def test_what_a_round_came_to_is_on_record(project):
    boss, *_ = judge(project, 1, 1, 0)
    decided = Consensus.objects.get()
    assert reopen(project, by=boss.user) == 1
    before = Reopening.objects.get()
    assert (before.number, before.by, before.tally, before.label) == (2, boss.user, [1, 2], 1)
    assert before.decided_at == decided.decided_at
    assert not Consensus.objects.exists()
    assert invariants.broken(project) == []


def test_as_many_others_are_asked_and_they_alone_decide(project):
    first = judge(project, 1, 1, 0)
    reopen(project)
    assert [judgments.claim(member) for member in first] == [None] * 3
    judge(project, 0, 0, 0)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([3, 0], 0, True)
    assert counted(project) == [0, 0, 0]
    assert Judgment.objects.filter(label__isnull=False).count() == 6
    assert invariants.broken(project) == []


def test_who_has_passed_the_pair_long_ago_comes_back_to_it(project):
    judge(project, 1, 1, 0)
    passer = cast.person(project)
    cast.pairs(project, 2)
    assert cast.judge_all(passer, 1) == 2
    reopen(project)
    passer.refresh_from_db()
    assert judgments.claim(passer).pair == project.pairs.earliest("pk")


def test_pairs_that_are_kept_or_open_stay_as_they_are(project):
    cast.pairs(project, 2)
    judge(project, 1, 1, 1)
    reopened = reopen(project)
    assert reopened == 0
    assert not Reopening.objects.exists()
    assert set(SentencePair.objects.values_list("slots", flat=True)) == {3}


def test_a_pair_of_another_project_stays_as_it_is(project):
    judge(project, 1, 1, 0)
    elsewhere = cast.study()
    public_ids = list(project.pairs.values_list("public_id", flat=True))
    assert rounds.reopen(elsewhere, public_ids, by=cast.person(elsewhere).user) == 0


def test_an_answer_of_an_earlier_round_cannot_be_undone(project):
    *_, last = judge(project, 1, 1, 0)
    reopen(project)
    assert judgments.undo(last) is None


def test_an_answer_of_an_earlier_round_sent_again_has_the_same_reply(project):
    *_, last = judge(project, 1, 1, 0)
    reopen(project)
    pair = project.pairs.get()
    assert judgments.submit(last, pair_public_id=pair.public_id, label=0).annotator == last.user


def test_a_third_round_is_numbered_on(project):
    for labels in ([1, 1, 0], [0, 1, 0], [1, 1, 1]):
        judge(project, *labels)
        reopen(project)
    assert list(Reopening.objects.values_list("number", flat=True)) == [2, 3]
    assert Consensus.objects.get().tally == [0, 3]
    assert invariants.broken(project) == []


def test_a_pair_has_no_more_rounds_than_its_place_in_the_queue_has_keys(project):
    judge(project, 1, 1, 0)
    SentencePair.objects.update(slots=KEYS_PER_PAIR - 3)
    assert reopen(project) == 0


def test_a_table_counts_the_latest_round(project):
    judge(project, 1, 1, 0)
    reopen(project)
    judge(project, 1)
    pair = tables.of_pairs(project.pairs.all()).get()
    assert (pair.answers, pair.asked, pair.slots) == (1, 3, 6)


def test_who_is_held_out_is_not_asked_for_again_in_a_round_that_is_over(project):
    random, *_ = judge(project, 1, 1, 0)
    reopen(project)
    step = interventions.hold_out(random, by=None, reason="Too fast")
    assert Judgment.objects.get(annotator=random.user_id).held_out == step
    assert Judgment.objects.filter(label=None).count() == 3
    judge(project, 1, 1, 1)
    assert Consensus.objects.get().tally == [0, 3]
    interventions.reinstate(random, by=None, reason="They were right")
    assert Judgment.objects.get(annotator=random.user_id).held_out is None
    assert Consensus.objects.get().tally == [0, 3]
    assert invariants.broken(project) == []


def test_who_is_held_out_in_the_latest_round_is_replaced_in_it(project):
    judge(project, 1, 1, 0)
    reopen(project)
    random, *_ = judge(project, 0, 1, 1)
    interventions.hold_out(random, by=None, reason="Too fast")
    assert Judgment.objects.filter(label=None).count() == 1
    judge(project, 1)
    assert Consensus.objects.get().tally == [0, 3]
    assert invariants.broken(project) == []


def test_an_early_round_is_followed_by_none(project):
    early = cast.study(judgments_per_pair=3, consensus_min_votes=2, decides_early=True)
    cast.pairs(early, 1)
    judge(early, 1, 1)
    assert reopen(early) == 0


def test_what_an_expert_said_before_stays_on_record(project):
    judge(project, 1, 1, 0)
    adjudication.decide(project.pairs.get(), by=cast.person(project).user, label=0)
    reopen(project)
    assert project.pairs.get().adjudications.count() == 1
