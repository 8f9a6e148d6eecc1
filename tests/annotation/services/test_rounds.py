"""Pairs on which too few people agree: asked of as many others, or adjudicated by an expert."""

import pytest

from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Reopening, SentencePair
from annotation.queue_keys import KEYS_PER_PAIR
from annotation.selectors import tables, verdicts
from annotation.selectors.dashboard import rows
from annotation.services import adjudication, interventions, judgments, rounds
from tests.annotation import cast
from tests.annotation.services import invariants

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["depth", "breadth"])
def project(request):
    return study(order=request.param)


def study(**settings):
    """A pair with three answers, all of which must agree."""
    project = cast.study(**{"judgments_per_pair": 3, "consensus_min_votes": 3, **settings})
    cast.pairs(project, 1)
    return project


def judge(project, *labels):
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_next(member, label)
    return people


def reopen(project, by=None, pairs_of=None):
    pairs = (pairs_of or project).pairs.values_list("public_id", flat=True)
    return rounds.reopen(project, list(pairs), by=by or cast.person(project).user)


@pytest.mark.both_engines
def test_as_many_others_are_asked_and_they_alone_decide(project):
    first = judge(project, 1, 1, 0)
    decided, by = Consensus.objects.get(), first[0].user
    assert reopen(project, by=by) == 1
    before = Reopening.objects.get()
    assert (before.number, before.by, before.tally, before.label) == (2, by, [1, 2], 1)
    assert before.decided_at == decided.decided_at
    assert not Consensus.objects.exists()
    assert invariants.broken(project) == []
    assert [judgments.claim(member) for member in first] == [None] * 3
    judge(project, 0, 0, 0)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([3, 0], 0, True)
    counted = rows.counted(project).values_list("slot", "label")
    assert sorted(counted) == [(4, 0), (5, 0), (6, 0)]
    assert Judgment.objects.filter(label__isnull=False).count() == 6
    assert invariants.broken(project) == []


@pytest.mark.both_engines
def test_those_who_have_passed_the_pair_come_back_to_it(project):
    judge(project, 1, 1, 0)
    passer = cast.person(project)
    cast.pairs(project, 2)
    assert cast.judge_all(passer, 1) == 2
    reopen(project)
    passer.refresh_from_db()
    assert judgments.claim(passer).pair == project.pairs.earliest("pk")


def test_only_pairs_of_the_project_that_are_decided_and_not_kept_are_reopened(project):
    judge(project, 1, 1, 0)
    assert reopen(study(), pairs_of=project) == 0
    SentencePair.objects.filter(project=project).update(slots=KEYS_PER_PAIR - 3)
    assert reopen(project) == 0  # a further round would have no keys
    SentencePair.objects.filter(project=project).update(slots=KEYS_PER_PAIR - 4)
    assert reopen(project) == 1
    kept = study(order=project.order)
    cast.pairs(kept, 2)
    judge(kept, 1, 1, 1)
    assert reopen(kept) == 0
    assert set(kept.pairs.values_list("slots", flat=True)) == {3}
    early = study(consensus_min_votes=2, decides_early=True)
    judge(early, 1, 1)
    assert reopen(early) == 0


def test_an_answer_of_an_earlier_round_is_fixed_and_sent_again_it_is_still_one(project):
    *_, last = judge(project, 1, 1, 0)
    reopen(project)
    assert judgments.undo(last) is None
    pair = project.pairs.get()
    assert judgments.submit(last, pair_public_id=pair.public_id, label=0).annotator == last.user


def test_rounds_are_numbered_on_and_tables_count_the_latest(project):
    for labels in ([1, 1, 0], [0, 1, 0]):
        judge(project, *labels)
        reopen(project)
    judge(project, 1)
    pair = tables.of_pairs(project.pairs.all()).get()
    assert (pair.answers, pair.asked, pair.slots) == (1, 3, 9)
    judge(project, 1, 1)
    assert reopen(project) == 0
    found = Reopening.objects.order_by("number").values_list("number", "tally")
    assert list(found) == [(2, [1, 2]), (3, [2, 1])]
    assert Consensus.objects.get().tally == [0, 3]
    assert invariants.broken(project) == []


@pytest.mark.both_engines
def test_answers_are_held_out_of_a_round_that_is_over_and_replaced_in_the_latest(project):
    earlier, *_ = judge(project, 1, 1, 0)
    reopen(project)
    step = interventions.hold_out(earlier, by=None, reason="Too fast")
    assert earlier.user.judgments.get().held_out == step
    assert Judgment.objects.filter(label=None).count() == 3
    later, *_ = judge(project, 0, 1, 1)
    interventions.hold_out(later, by=None, reason="Too fast")
    assert Judgment.objects.filter(label=None).count() == 1
    judge(project, 1)
    assert Consensus.objects.get().tally == [0, 3]
    interventions.reinstate(earlier, by=None, reason="They were right")
    assert earlier.user.judgments.get().held_out is None
    assert Consensus.objects.get().tally == [0, 3]
    assert invariants.broken(project) == []


def test_an_expert_says_what_a_disputed_pair_is_beside_the_consensus():
    project = study()
    expert = cast.person(project).user
    judge(project, 1, 1, 0)
    pair, before = project.pairs.get(), Consensus.objects.values().get()
    said = [
        adjudication.decide(pair, by=expert, label=label, note=" A matter of tense. ")
        for label in (0, 1, None)
    ]
    assert [(each.label, each.by, each.note) for each in said] == [
        (label, expert, "A matter of tense.") for label in (0, 1, None)
    ]
    assert Consensus.objects.values().get() == before
    assert verdicts.adjudications(pair) == said[::-1]
    reopen(project)
    assert pair.adjudications.count() == 3


def test_only_a_disputed_pair_is_adjudicated_with_a_label_and_a_note_that_fits(subtests):
    longest = "x" * 500
    for labels, label, note in (
        ((1, 1, 1), 0, ""),
        ((1, 0), 0, ""),
        ((1, 1, 0), 2, ""),
        ((1, 1, 0), -1, ""),
        ((1, 1, 0), 1, longest + "x"),
    ):
        with subtests.test(labels=labels, label=label, note=len(note)):
            project = study()
            people = judge(project, *labels)
            pair = project.pairs.get()
            with pytest.raises(Refused):
                adjudication.decide(pair, by=people[0].user, label=label, note=note)
            assert verdicts.adjudications(pair) == []
    assert adjudication.decide(pair, by=people[0].user, label=1, note=longest).note == longest
