"""Warning, pausing, and answers that are held out and put back."""

import pytest
from django.utils import timezone

from annotation.errors import NotHeld, Refused
from annotation.models import Consensus, Intervention, Judgment, Membership, SentencePair
from annotation.services import interventions, judgments, projects
from tests.annotation import cast

pytestmark = pytest.mark.django_db
Kind = Intervention.Kind


def judged(labels, *, number=1, **settings):
    """A study of so many pairs that are given these labels; its people in the order of labels."""
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


def stored(project):
    """All that holding out touches, but the record of it and the times of decisions."""
    slots = Judgment.objects.filter(project=project)
    decided = Consensus.objects.filter(pair__project=project).order_by("pair")
    return {
        "slots": list(slots.order_by("pk").values()),
        "pairs": list(project.pairs.order_by("pk").values()),
        "decided": list(decided.values("pair", "tally", "label", "kept")),
        "people": list(project.memberships.order_by("pk").values()),
    }


def held_out_of(member):
    """Of each answer of a person, in order, the kind of step that holds it out."""
    answers = member.user.judgments.filter(label__isnull=False).order_by("pk")
    return list(answers.values_list("held_out__kind", flat=True))


def test_a_warning_is_on_record_with_who_gave_it_and_why():
    project = cast.study()
    alice, boss = cast.person(project), cast.person(project, role="manager").user
    step = interventions.warn(alice, by=boss, reason="Read to the end.", evidence={"n": 3})
    assert (step.kind, step.by, step.reason) == (Kind.WARN, boss, "Read to the end.")
    assert (step.evidence, list(alice.interventions.all())) == ({"n": 3}, [step])
    assert interventions.warn(alice, by=None, reason="x" * 500).evidence == {}


def test_a_step_without_a_reason_or_with_too_long_a_one_is_refused():
    _, [alice] = judged([1])
    for step in (interventions.warn, interventions.pause, interventions.hold_out):
        for reason in ("", "  ", "x" * 501):
            with pytest.raises(Refused):
                step(alice, by=None, reason=reason)
    alice.refresh_from_db()
    assert (alice.paused_at, held_out_of(alice)) == (None, [None])
    assert not Intervention.objects.exists()


def test_a_person_is_paused_once_and_resumed_once():
    alice = cast.person(cast.study())
    with pytest.raises(Refused):
        interventions.resume(alice, by=None, reason="Go on.")
    interventions.pause(alice, by=None, reason="Wait, please.")
    since = alice.paused_at
    with pytest.raises(Refused):
        interventions.pause(alice, by=None, reason="Wait, please.")
    again = Membership.objects.get(pk=alice.pk)
    assert (alice.is_given_work, again.is_given_work, again.paused_at) == (False, False, since)
    interventions.resume(alice, by=None, reason="Go on.")
    assert (alice.is_given_work, Membership.objects.get(pk=alice.pk).is_given_work) == (True, True)
    kinds = alice.interventions.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == [Kind.PAUSE, Kind.RESUME]


def test_held_out_answers_are_marked_and_asked_of_someone_else_who_decides():
    project, people = judged([1, 1, 1, 0, 0], number=2)
    first, second = SentencePair.objects.order_by("pk")
    step = hold_out(people[0])
    assert set(people[0].user.judgments.values_list("held_out", flat=True)) == {step.pk}
    assert not Consensus.objects.exists()
    assert set(SentencePair.objects.values_list("slots", flat=True)) == {6}
    issued = Judgment.objects.filter(label=None).order_by("pair")
    assert [(each.pair, each.slot, each.replaces.annotator) for each in issued] == [
        (first, 6, people[0].user),
        (second, 6, people[0].user),
    ]
    assert [judgments.undo(member) for member in people] == [None] * 5
    assert [cast.judge_all(member, 0) for member in people] == [0] * 5
    assert cast.judge_all(cast.person(project), 0) == 2
    decided = Consensus.objects.values_list("tally", "label", "kept")
    assert list(decided) == [([3, 2], 0, False)] * 2


def test_a_held_out_answer_sent_again_has_the_same_reply():
    _, [alice] = judged([1])
    answer = alice.user.judgments.get()
    hold_out(alice)
    again = judgments.submit(alice, pair_public_id=answer.pair.public_id, label=1)
    assert again == answer


def test_what_was_given_in_the_stead_of_another_can_be_undone():
    project, people = judged([1, 1, 1, 0])
    hold_out(people[0])
    late = cast.person(project)
    cast.judge_next(late, 0)
    assert judgments.undo(late).label is None


@pytest.mark.both_engines
@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_putting_back_leaves_everything_as_it_was(order):
    project, people = judged([1, 1, 1, 0, 0], number=3, order=order)
    before = stored(project)
    by_time = Judgment.objects.order_by("submitted_at").values_list("pair", "submitted_at")
    last_answers = dict(by_time)
    hold_out(people[0])
    assert stored(project) != before
    reinstate(people[0])
    assert stored(project) == before
    assert dict(Consensus.objects.values_list("pair", "decided_at")) == last_answers


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_putting_one_of_two_back_leaves_what_was_issued_for_the_other(order):
    project, people = judged([1, 1, 1, 0, 0], order=order)
    hold_out(people[0])
    alone = stored(project)["pairs"]
    reinstate(people[0])
    hold_out(people[1])
    hold_out(people[0])
    reinstate(people[1])
    assert stored(project)["pairs"] == alone
    [issued] = Judgment.objects.filter(label=None)
    assert (issued.slot, issued.replaces.annotator) == (6, people[0].user)
    assert issued.queue_key is not None


def test_an_answer_in_the_stead_of_one_that_is_put_back_stands_aside_until_it_is_needed_again():
    project, people = judged([1, 1, 1, 0, 0])
    late = cast.person(project)
    hold_out(people[0])
    cast.judge_all(late, 0)
    step = reinstate(people[0])
    assert late.user.judgments.get().held_out == step
    assert (held_out_of(people[0]), Consensus.objects.get().tally) == ([None], [2, 3])
    hold_out(people[0])
    assert (held_out_of(late), Consensus.objects.get().tally) == ([None], [3, 2])
    assert SentencePair.objects.get().slots == 6


def test_a_person_who_answered_in_the_stead_of_another_may_be_held_out_as_well():
    project, people = judged([1, 1, 1, 0, 0])
    late = cast.person(project)
    hold_out(people[0])
    cast.judge_all(late, 0)
    hold_out(late)
    [issued] = Judgment.objects.filter(label=None)
    assert issued.replaces.annotator == late.user
    reinstate(people[0])
    assert not Judgment.objects.filter(label=None).exists()
    assert (held_out_of(late), Consensus.objects.get().tally) == (["hold_out"], [2, 3])
    reinstate(late)
    assert (held_out_of(late), Consensus.objects.get().tally) == (["reinstate"], [2, 3])


def test_a_slot_that_is_wanted_no_longer_is_gone_from_under_its_holder():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    late = cast.person(project)
    pair = judgments.claim(late).pair
    reinstate(people[0])
    with pytest.raises(NotHeld):
        judgments.submit(late, pair_public_id=pair.public_id, label=0)
    assert Judgment.objects.count() == 5


def test_an_undecided_pair_asks_for_one_more_and_is_not_decided_too_early():
    project, people = judged([1, 1, 1])
    hold_out(people[0])
    for _ in range(3):
        assert not Consensus.objects.exists()
        cast.judge_all(cast.person(project), 0)
    assert Consensus.objects.get().tally == [3, 2]


def test_what_is_open_on_a_pair_that_was_set_aside_stays_out_of_the_queue():
    project, people = judged([1, 1, 1])
    SentencePair.objects.update(set_aside_at=timezone.now())
    Judgment.objects.filter(label=None).update(queue_key=None)
    hold_out(people[0])
    assert list(Judgment.objects.filter(label=None).values_list("queue_key")) == [(None,)] * 3
    assert judgments.claim(cast.person(project)) is None


def test_answers_on_hidden_pairs_are_marked_and_never_asked_for_again():
    project = cast.study(known_every=2)
    [hidden] = cast.known_pairs(project, [0])
    cast.pairs(project, 4)
    alice = cast.person(project)
    cast.judge_all(alice, 1)
    step = hold_out(alice)
    assert hidden.judgments.get().held_out == step
    reinstate(alice)
    assert hidden.judgments.get().held_out is None
    assert not Consensus.objects.filter(pair=hidden).exists()


def test_answers_in_another_project_are_left_alone():
    _, people = judged([1, 1, 1, 0, 0])
    other, _ = judged([1, 1, 1, 1])
    cast.judge_all(projects.add_member(other, people[0].user), 1)
    hold_out(people[0])
    assert held_out_of(people[0]) == ["hold_out", None]


def test_where_there_is_nothing_to_hold_out_or_to_put_back_the_step_is_refused_without_record():
    alice = cast.person(cast.study())
    for step in (hold_out, reinstate):
        with pytest.raises(Refused):
            step(alice)
    assert not Intervention.objects.exists()
    _, [bob] = judged([1])
    hold_out(bob)
    with pytest.raises(Refused):
        hold_out(bob)
    assert bob.interventions.count() == 1


def test_later_answers_count_until_they_are_held_out_too():
    project, people = judged([1, 1, 1, 0, 0])
    hold_out(people[0])
    cast.pairs(project, 1)
    assert cast.judge_all(people[0], 1) == 1
    assert held_out_of(people[0]) == ["hold_out", None]
    hold_out(people[0])
    assert held_out_of(people[0]) == ["hold_out", "hold_out"]
    reinstate(people[0])
    assert held_out_of(people[0]) == [None, None]


@pytest.mark.both_engines
@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_what_was_issued_is_found_by_people_who_have_passed_it(order):
    project, people = judged([1] * 5, number=3, order=order)
    newcomer = cast.person(project)
    cast.pairs(project, 1)
    assert cast.judge_all(newcomer, 1) == 1
    hold_out(people[0])
    assert cast.judge_all(newcomer, 1) == 3
