"""Warning, pausing, and answers that are held out and put back."""

import pytest
from django.utils import timezone

from annotation.errors import NotHeld, Refused
from annotation.models import Consensus, Intervention, Judgment, Membership, SentencePair
from annotation.services import interventions, judgments, projects
from tests.annotation import cast

pytestmark = pytest.mark.django_db
Kind = Intervention.Kind


def manager(project):
    return cast.person(project, role=Membership.Role.MANAGER).user


def judged(labels, *, number=1, **settings):
    """A study of so many pairs that these labels decide; its people in the order of labels."""
    project = cast.study(**settings)
    cast.pairs(project, number)
    people = [cast.person(project) for _ in labels]
    for member, label in zip(people, labels, strict=True):
        cast.judge_all(member, label)
    return project, people


def hold_out(member):
    return interventions.hold_out(member, by=None, reason="These look like guesses.")


def reinstate(member):
    return interventions.reinstate(member, by=None, reason="They were none.")


def tables():
    """Everything that holding out touches, but for the record of it and the times of decisions."""
    return {
        "slots": list(Judgment.objects.order_by("pk").values()),
        "pairs": list(SentencePair.objects.order_by("pk").values()),
        "decided": list(Consensus.objects.order_by("pk").values("pk", "tally", "label", "kept")),
        "people": list(Membership.objects.order_by("pk").values()),
    }


def test_a_warning_is_on_record_with_who_gave_it_and_why():
    project = cast.study()
    alice, boss = cast.person(project), manager(project)
    step = interventions.warn(alice, by=boss, reason="Please read to the end.", evidence={"n": 3})
    assert (step.kind, step.by, step.reason) == (Kind.WARN, boss, "Please read to the end.")
    assert list(alice.interventions.all()) == [step]
    assert step.evidence == {"n": 3}


@pytest.mark.parametrize("reason", ["", "  ", "x" * 501])
def test_a_step_without_a_reason_or_with_a_novel_is_refused(reason):
    alice = cast.person(cast.study())
    with pytest.raises(Refused):
        interventions.warn(alice, by=None, reason=reason)
    with pytest.raises(Refused):
        interventions.pause(alice, by=None, reason=reason)
    alice.refresh_from_db()
    assert alice.paused_at is None
    assert not Intervention.objects.exists()


def test_who_is_paused_is_given_no_work_until_resumed():
    alice = cast.person(cast.study())
    interventions.pause(alice, by=None, reason="Wait, please.")
    assert not alice.is_given_work
    assert not Membership.objects.get(pk=alice.pk).is_given_work
    interventions.resume(alice, by=None, reason="Go on.")
    assert alice.is_given_work
    assert Membership.objects.get(pk=alice.pk).is_given_work


def test_paused_twice_is_refused_and_one_record():
    alice = cast.person(cast.study())
    interventions.pause(alice, by=None, reason="Wait, please.")
    since = alice.paused_at
    with pytest.raises(Refused):
        interventions.pause(alice, by=None, reason="Wait, please.")
    alice.refresh_from_db()
    assert alice.paused_at == since
    assert alice.interventions.count() == 1


def test_who_is_not_paused_cannot_be_resumed():
    alice = cast.person(cast.study())
    with pytest.raises(Refused):
        interventions.resume(alice, by=None, reason="Go on.")
    assert not alice.interventions.exists()


def test_held_out_answers_are_marked_and_their_pairs_open_again():
    _, people = judged([1, 1, 1, 0, 0], number=2)
    step = hold_out(people[0])
    assert set(people[0].user.judgments.values_list("held_out", flat=True)) == {step.pk}
    assert not Consensus.objects.exists()
    assert set(SentencePair.objects.values_list("slots", flat=True)) == {6}
    issued = Judgment.objects.filter(label=None)
    assert [(slot.slot, slot.replaces.annotator) for slot in issued] == [(6, people[0].user)] * 2


def test_somebody_else_answers_in_their_stead_and_decides_anew():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    assert [cast.judge_all(member, 0) for member in people] == [0] * 5
    assert cast.judge_all(cast.person(project), 0) == 1
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([3, 2], 0, False)


def test_what_was_given_before_somebody_was_held_out_stays():
    _, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    assert [judgments.undo(member) for member in people] == [None] * 5


def test_what_was_given_in_the_stead_of_another_can_be_undone():
    project, people = judged([1, 1, 1, 0], number=1)
    hold_out(people[0])
    late = cast.person(project)
    judgments.submit(late, pair_public_id=judgments.claim(late).pair.public_id, label=0)
    assert judgments.undo(late).label is None


def test_putting_back_leaves_everything_as_it_was():
    _, people = judged([1, 1, 1, 0, 0], number=3)
    before = tables()
    decided_at = list(Consensus.objects.values_list("pk", "decided_at"))
    hold_out(people[0])
    assert tables() != before
    reinstate(people[0])
    assert tables() == before
    for pair, moment in Consensus.objects.values_list("pk", "decided_at"):
        assert abs((moment - dict(decided_at)[pair]).total_seconds()) < 1


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_putting_one_of_two_back_leaves_what_was_issued_for_the_other(order):
    _, people = judged([1, 1, 1, 0, 0], order=order)
    hold_out(people[0])
    alone = tables()
    reinstate(people[0])
    hold_out(people[1])
    hold_out(people[0])
    reinstate(people[1])
    left = tables()
    assert left["pairs"] == alone["pairs"]
    [issued] = Judgment.objects.filter(label=None)
    assert (issued.slot, issued.replaces.annotator) == (6, people[0].user)
    assert issued.queue_key is not None


def test_an_answer_in_the_stead_of_one_that_is_put_back_stands_aside():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    late = cast.person(project)
    cast.judge_all(late, 0)
    step = reinstate(people[0])
    assert late.user.judgments.get().held_out == step
    assert people[0].user.judgments.get().held_out is None
    assert Consensus.objects.get().tally == [2, 3]


def test_an_answer_that_stood_aside_comes_in_again_without_being_asked_for_twice():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    cast.judge_all(cast.person(project), 0)
    reinstate(people[0])
    hold_out(people[0])
    assert Consensus.objects.get().tally == [3, 2]
    assert SentencePair.objects.get().slots == 6


def test_who_answered_in_the_stead_of_another_may_be_held_out_as_well():
    project, people = judged([1, 1, 1, 0, 0])
    late = cast.person(project)
    hold_out(people[0])
    cast.judge_all(late, 0)
    hold_out(late)
    [issued] = Judgment.objects.filter(label=None)
    assert issued.replaces.annotator == late.user
    reinstate(people[0])
    assert not Judgment.objects.filter(label=None).exists()
    assert Consensus.objects.get().tally == [2, 3]
    reinstate(late)
    assert late.user.judgments.get().held_out is not None
    assert Consensus.objects.get().tally == [2, 3]


def test_who_holds_a_slot_that_is_wanted_no_longer_loses_it():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    late = cast.person(project)
    pair = judgments.claim(late).pair
    reinstate(people[0])
    with pytest.raises(NotHeld):
        judgments.submit(late, pair_public_id=pair.public_id, label=0)


def test_an_undecided_pair_asks_for_one_more_and_no_consensus_comes_too_early():
    project, people = judged([1, 1, 1])
    hold_out(people[0])
    for label in (0, 0):
        cast.judge_all(cast.person(project), label)
    assert not Consensus.objects.exists()
    cast.judge_all(cast.person(project), 0)
    assert Consensus.objects.get().tally == [3, 2]


def test_what_is_open_on_a_pair_that_was_set_aside_stays_out_of_the_queue():
    project, people = judged([1, 1, 1])
    SentencePair.objects.update(set_aside_at=timezone.now())
    Judgment.objects.filter(label=None).update(queue_key=None)
    hold_out(people[0])
    assert set(Judgment.objects.filter(label=None).values_list("queue_key", flat=True)) == {None}
    assert judgments.claim(cast.person(project)) is None


def test_answers_on_hidden_pairs_are_marked_and_never_asked_for_again():
    project = cast.study(known_every=2)
    cast.known_pairs(project, [0])
    cast.pairs(project, 4)
    alice = cast.person(project)
    cast.judge_all(alice, 1)
    hold_out(alice)
    hidden = alice.user.judgments.get(pair__known_label__isnull=False)
    assert hidden.held_out is not None
    assert hidden.pair.judgments.count() == 1
    reinstate(alice)
    hidden.refresh_from_db()
    assert hidden.held_out is None
    assert not Consensus.objects.filter(pair=hidden.pair).exists()


def test_answers_in_another_project_are_left_alone():
    _, people = judged([1, 1, 1, 0, 0])
    other, _ = judged([1, 1, 1, 1])
    elsewhere = projects.add_member(other, people[0].user)
    cast.judge_all(elsewhere, 1)
    hold_out(people[0])
    assert elsewhere.user.judgments.get(project=other).held_out is None


def test_nothing_to_hold_out_and_nothing_to_put_back_are_refused_and_leave_no_record():
    project = cast.study()
    alice = cast.person(project)
    with pytest.raises(Refused):
        hold_out(alice)
    with pytest.raises(Refused):
        reinstate(alice)
    assert not Intervention.objects.exists()


def test_later_answers_count_until_they_are_held_out_too():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    cast.pairs(project, 1)
    assert cast.judge_all(people[0], 1) == 1
    assert people[0].user.judgments.filter(held_out=None).count() == 1
    hold_out(people[0])
    assert not people[0].user.judgments.filter(held_out=None).exists()
    reinstate(people[0])
    assert people[0].user.judgments.filter(held_out=None).count() == 2


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_what_was_issued_is_found_by_people_who_have_passed_it(order):
    project = cast.study(order=order)
    cast.pairs(project, 3)
    late = cast.person(project)
    people = [cast.person(project) for _ in range(4)]
    for member in [*people, late]:
        cast.judge_all(member, 1)
    newcomer = cast.person(project)
    cast.pairs(project, 1)
    cast.judge_all(newcomer, 1)
    hold_out(people[0])
    assert cast.judge_all(newcomer, 1) == 3
