"""Answers that are held out of consensus count nowhere."""

import pytest

from annotation.models import Consensus, Intervention, Judgment, SentencePair
from annotation.services import judgments, queues
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    project = cast.study(judgments_per_pair=3, consensus_min_votes=2)
    cast.pairs(project, 1)
    return project


def hold_out(member):
    """As services that intervene do it: the answers are marked, and their slots issued again."""
    step = Intervention.objects.create(
        membership=member, kind=Intervention.Kind.HOLD_OUT, by=None, reason="Too fast"
    )
    held_out = Judgment.objects.get(annotator=member.user_id)
    pair = held_out.pair
    pair.slots += 1
    pair.save()
    held_out.held_out = step
    held_out.save()
    Judgment.objects.create(project=member.project, pair=pair, slot=pair.slots, replaces=held_out)
    queues.enter(member.project, [pair])


def test_a_pair_is_decided_when_all_other_slots_are_answered(project):
    random, *others = (cast.person(project) for _ in range(4))
    cast.judge_next(random, 0)
    hold_out(random)
    for number, member in enumerate(others):
        assert Consensus.objects.count() == 0, number
        cast.judge_next(member, 1)
    assert Consensus.objects.get().tally == [0, 3]


def test_a_held_out_answer_cannot_be_undone(project):
    random = cast.person(project)
    cast.judge_next(random)
    hold_out(random)
    assert judgments.undo(random) is None


def test_a_held_out_answer_sent_again_has_the_same_reply(project):
    random = cast.person(project)
    stored = cast.judge_next(random, 0)
    hold_out(random)
    again = judgments.submit(random, pair_public_id=stored.pair.public_id, label=0)
    assert again == stored


def test_the_slot_that_is_issued_again_goes_to_who_has_passed_the_pair(project):
    random, *others, carol = (cast.person(project) for _ in range(4))
    cast.judge_next(random)
    for member in others:
        judgments.claim(member)
    cast.pairs(project, 1)
    passed = SentencePair.objects.earliest("pk")
    assert cast.judge_next(carol).pair != passed
    hold_out(random)
    assert judgments.claim(carol).pair == passed
