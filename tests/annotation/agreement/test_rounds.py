"""Pairs on which too few people agree: judged again by others, or adjudicated by an expert."""

import pytest
from django.utils import timezone

from annotation.agreement import services as agreement
from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Reopening, SentencePair
from annotation.people.selectors.annotator import Touched, touched_answers
from annotation.projects.selectors import study_rows
from annotation.quality.services import interventions
from annotation.work.keys import KEYS_PER_ITEM
from tests.annotation import invariants, make
from tests.annotation.small_study import judge, reread, study

pytestmark = pytest.mark.django_db
ALL_THREE = {"judgments_per_pair": 3, "consensus_min_votes": 3}


@pytest.fixture(params=["depth", "breadth"])
def project(request):
    """A pair on which two of three agree, where all must."""
    project, _ = study(1, order=request.param, **ALL_THREE)
    judge(project, 1, 1, 0)
    return project


def reopen(project, by=None, pairs_of=None):
    make.spare(project, project.judgments_per_pair)
    pairs = (pairs_of or project).pairs.values_list("public_id", flat=True)
    return agreement.reopen(project, list(pairs), by=by or make.person(project).user)


def outcome(project):
    assert invariants.broken(project) == []
    decided = Consensus.objects.filter(pair__project=project).earliest("pair")
    return decided.tally, decided.label, decided.kept


@pytest.mark.both_engines
def test_a_reopened_pair_goes_to_as_many_others_and_they_alone_decide(project):
    first, decided = project.memberships.order_by("pk"), Consensus.objects.get()
    newcomer, by = make.person(project), first[0].user
    make.pairs(project, 2)
    assert make.judge_all(newcomer, 1) == 2
    assert reopen(project, by=by) == 1
    before = Reopening.objects.get()
    assert (before.number, before.by, before.tally, before.label) == (2, by, [1, 2], 1)
    assert before.decided_at == decided.decided_at
    assert not Consensus.objects.exists()
    assert invariants.broken(project) == []
    pair, last = decided.pair, first[2]
    assert make.undo(last) is None  # what an earlier round said is fixed
    again = make.submit(last, item=pair.public_id, label=0)
    assert again.annotator == last.user
    assert pair.pk not in [make.judge_next(reread(member), 1).item_id for member in first[:3]]
    assert make.judge_next(reread(newcomer), 0).item_id == pair.pk
    for _ in range(2):
        make.judge_all(make.person(project), 0)
    assert outcome(project) == ([3, 0], 0, True)
    counted = study_rows.counted_judgments(project).filter(item=pair).values_list("number", "label")
    assert sorted(counted) == [(4, 0), (5, 0), (6, 0)]


def test_only_pairs_of_the_project_that_are_decided_and_not_kept_are_reopened(project):
    assert reopen(make.study(), pairs_of=project) == 0
    for slots, reopened in ((KEYS_PER_ITEM - 3, 0), (KEYS_PER_ITEM - 4, 1)):  # keys for a round
        project.pairs.update(slot_count=slots)
        assert reopen(project) == reopened
    kept, _ = study(2, order=project.order, **ALL_THREE)
    judge(kept, 1, 1, 1)
    early, _ = study(1, judgments_per_pair=3, consensus_min_votes=2, decides_early=True)
    judge(early, 1, 1)
    assert (reopen(kept), reopen(early)) == (0, 0)
    assert set(kept.pairs.values_list("slot_count", flat=True)) == {3}


def test_a_pair_is_reopened_only_if_enough_people_are_left_who_may_judge_it(project):
    pair = project.pairs.get()
    members = [make.person(project) for _ in range(3)]

    def reopened():
        return agreement.reopen(project, [pair.public_id], by=members[0].user)

    user = members[0].user
    recusal = pair.recusals.create(annotator=user, person=user, reason="skipped")
    assert reopened() == 0
    recusal.delete()
    members[0].duties.update(allowed=False)
    assert reopened() == 0
    members[0].duties.update(allowed=True)
    make.same_person(*members[:2])
    assert reopened() == 0
    make.person(project)
    assert reopened() == 1
    assert [make.judge_all(member, 1) for member in members] == [1, 0, 1]


def test_rounds_are_numbered_on_and_tables_count_the_latest(project):
    reopen(project)
    judge(project, 0, 1, 0)
    reopen(project)
    judge(project, 1)
    pair = study_rows.with_counts(project.pairs.all()).get()
    assert (pair.answers, pair.asked, pair.slot_count) == (1, 3, 9)
    judge(project, 1, 1)
    assert reopen(project) == 0
    found = Reopening.objects.order_by("number").values_list("number", "tally")
    assert list(found) == [(2, [1, 2]), (3, [2, 1])]
    assert outcome(project) == ([0, 3], 1, True)


@pytest.mark.both_engines
def test_answers_are_excluded_of_a_round_that_is_over_and_replaced_in_the_latest(project):
    earlier, asked = project.memberships.earliest("pk"), Judgment.objects.filter(submitted_at=None)
    reopen(project)
    step = interventions.exclude(earlier, by=None, reason="Too fast")
    assert (earlier.user.slots.get().excluded_by, asked.count()) == (step, 3)
    later, *_ = judge(project, 0, 1, 1)
    interventions.exclude(later, by=None, reason="Too fast")
    assert asked.count() == 1
    judge(project, 1)
    assert outcome(project) == ([0, 3], 1, True)
    interventions.reinstate(earlier, by=None, reason="They were right")
    assert earlier.user.slots.get().excluded_by is None
    assert outcome(project) == ([0, 3], 1, True)


def test_an_expert_says_what_a_disputed_pair_is_beside_the_consensus(project):
    expert, pair = make.person(project).user, project.pairs.get()
    before = Consensus.objects.values().get()
    labels, note = (0, 1, None), " A matter of tense. "
    said = [agreement.adjudicate(pair, by=expert, label=label, note=note) for label in labels]
    expected = [(label, expert, note.strip()) for label in labels]
    assert [(each.label, each.by, each.note) for each in said] == expected
    assert agreement.adjudicate(pair, by=expert, label=1, note="x" * 500).note == "x" * 500
    assert Consensus.objects.values().get() == before
    assert list(pair.adjudications.all())[:-1] == said
    reopen(project)
    assert pair.adjudications.count() == 4
    for labels in ((1, 1, 1), (1, 0)):  # kept, or not decided
        other, _ = study(1, **ALL_THREE)
        judge(other, *labels)
        with pytest.raises(Refused):
            agreement.adjudicate(other.pairs.get(), by=expert, label=0)
        assert not other.pairs.get().adjudications.exists()


def test_a_manager_is_told_what_an_exclusion_does_to_earlier_rounds_and_pairs_set_aside():
    project, people = study(3, people=3, **ALL_THREE)
    for member, label in zip(people, (1, 1, 0), strict=True):
        make.judge_all(member, label)
    first = people[0]
    make.spare(project)
    agreement.reopen(project, [project.pairs.earliest("pk").public_id], by=first.user)
    make.pairs(project, 1)
    aside = make.judge_next(first).item
    SentencePair.objects.filter(pk=aside.pk).update(set_aside_at=timezone.now())
    assert touched_answers(first) == Touched(included=4, reassigned=2, decided=2, excluded=0)
    interventions.exclude(first, by=None, reason="At random.")
    assert touched_answers(first) == Touched(included=0, reassigned=0, decided=0, excluded=4)
