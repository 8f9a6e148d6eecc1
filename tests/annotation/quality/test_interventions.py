"""Warning, pausing, and answers that are excluded and put back, in any order with other steps."""

from contextlib import suppress

import hypothesis
import pytest
from django.utils import timezone
from hypothesis import strategies as st

from annotation.agreement import services as agreement
from annotation.errors import NotHeld, Refused
from annotation.models import Consensus, Duty, Intervention, Judgment, SentencePair
from annotation.projects.services import projects
from annotation.quality.services import interventions
from annotation.work import queue
from tests.annotation import invariants, make
from tests.annotation.small_study import BOTH_ORDERS, reread, study

pytestmark = pytest.mark.django_db


def judged(*labels, pairs=1, **settings):
    """A study whose pairs are given these labels, and its people in their order."""
    project, people = study(pairs, people=len(labels), **settings)
    for member, label in zip(people, labels, strict=True):
        make.judge_all(member, label)
    return project, *people


def exclude(member):
    return interventions.exclude(member, by=None, reason="These look like guesses.")


def reinstate(member):
    return interventions.reinstate(member, by=None, reason="They were none.")


def stored(project):
    """The study, but for slot counts, the step that excludes an answer, and times of decisions."""
    slots = Judgment.objects.filter(project=project).order_by("pk").values()
    if project.judgments_at_most:
        # An exclusion may settle a pair; the open slot that its end needs again is another one.
        slots = slots.filter(label__isnull=False)
    decided = Consensus.objects.filter(pair__project=project).order_by("pair")
    duties = Duty.objects.filter(membership__project=project).order_by("pk")
    return (
        [slot | {"excluded_by_id": slot["excluded_by_id"] is not None} for slot in slots],
        [pair | {"slot_count": None} for pair in project.pairs.order_by("pk").values()],
        list(decided.values("pair", "tally", "first_tally", "label", "kept")),
        list(duties.values()),
    )


def excluded_of(member):
    answers = member.user.slots.filter(label__isnull=False).order_by("pk")
    return list(answers.values_list("excluded_by__kind", flat=True))


def open_slots():
    slots = Judgment.objects.filter(submitted_at=None).order_by("item", "number")
    return list(slots.values_list("number", flat=True))


def tally():
    return list(Consensus.objects.order_by("pair").values_list("tally", flat=True))


def test_a_step_is_on_record_with_its_reason_unless_that_or_any_effect_is_lacking():
    project, alice = judged(1)
    boss, newcomer = make.person(project, role="manager").user, make.person(project)
    for step in (interventions.warn, interventions.pause, interventions.exclude):
        for reason in ("", "  ", "x" * 501):
            with pytest.raises(Refused):
                step(alice, by=None, reason=reason)
    assert (reread(alice).paused_at, excluded_of(alice)) == (None, [None])
    for step in (exclude, reinstate):
        with pytest.raises(Refused):
            step(newcomer)
    assert not Intervention.objects.exists()
    out = exclude(alice)
    with pytest.raises(Refused):
        exclude(alice)
    warning = interventions.warn(alice, by=boss, reason="Read to the end.", evidence={"n": 3})
    assert (warning.kind, warning.by, warning.reason) == ("warn", boss, "Read to the end.")
    assert (warning.evidence, list(alice.interventions.order_by("pk"))) == (
        {"n": 3},
        [out, warning],
    )
    assert interventions.warn(alice, by=None, reason="x" * 500).evidence == {}


def test_a_person_is_paused_once_and_resumed_once():
    _, [alice] = study(people=1)
    with pytest.raises(Refused):
        interventions.resume(alice, by=None, reason="Go on.")
    interventions.pause(alice, by=None, reason="Wait, please.")
    since = alice.paused_at
    with pytest.raises(Refused):
        interventions.pause(alice, by=None, reason="Wait, please.")
    assert (alice.is_given_work, reread(alice).paused_at) == (False, since)
    interventions.resume(alice, by=None, reason="Go on.")
    assert (alice.is_given_work, reread(alice).is_given_work) == (True, True)
    kinds = alice.interventions.order_by("pk").values_list("kind", flat=True)
    assert list(kinds) == ["pause", "resume"]


def test_excluded_answers_are_marked_and_asked_of_someone_else_who_decides():
    project, *people = judged(1, 1, 1, 0, 0, pairs=2)
    step = exclude(people[0])
    assert set(people[0].user.slots.values_list("excluded_by", flat=True)) == {step.pk}
    assert tally() == []
    assert list(SentencePair.objects.values_list("slot_count", flat=True)) == [6, 6]
    assert open_slots() == [6, 6]
    assert [make.undo(member) for member in people] == [None] * 5
    assert [make.judge_all(member, 0) for member in people] == [0] * 5
    assert make.judge_all(make.person(project), 0) == 2
    decided = Consensus.objects.values_list("tally", "label", "kept")
    assert list(decided) == [([3, 2], 0, False)] * 2


@pytest.mark.both_engines
@BOTH_ORDERS
def test_putting_back_leaves_everything_as_it_was_and_the_freed_numbers_are_used_again(order):
    project, alice, *_ = judged(1, 1, 1, 0, 0, pairs=3, order=order)
    before = stored(project)
    by_time = Judgment.objects.order_by("submitted_at").values_list("item", "submitted_at")
    last_answers = dict(by_time)
    for _ in range(2):
        exclude(alice)
        assert stored(project) != before
        assert open_slots() == [6, 6, 6]
        reinstate(alice)
        assert stored(project) == before
        assert dict(Consensus.objects.values_list("pair", "decided_at")) == last_answers
    assert set(project.pairs.values_list("slot_count", flat=True)) == {6}


@BOTH_ORDERS
def test_putting_one_of_two_back_leaves_a_slot_for_the_other(order):
    project, alice, bob, *_ = judged(1, 1, 1, 0, 0, order=order)
    answer, pair = alice.user.slots.get(), project.pairs.get()
    exclude(bob)
    exclude(alice)
    assert open_slots() == [6, 7]
    reinstate(bob)
    assert open_slots() == [6]
    assert make.submit(alice, item=pair.public_id, label=1) == answer
    late = make.person(project)
    assert make.claim(late).number == 6
    reinstate(alice)
    with pytest.raises(NotHeld):
        make.submit(late, item=pair.public_id, label=0)
    assert Judgment.objects.count() == 5


@pytest.mark.both_engines
def test_putting_back_deletes_free_slots_before_those_in_progress():
    project, alice, bob, *_ = judged(1, 1, 1, 0, 0)
    exclude(alice)
    exclude(bob)
    free, held = make.person(project), make.person(project)
    make.claim(free)
    slot = make.claim(held)
    queue.release(free.duty("judge"), answers=0)
    reinstate(alice)
    assert Judgment.objects.get(submitted_at=None) == slot
    make.judge_next(held, 0)
    assert tally() == [[3, 2]]


def test_the_first_answers_by_time_count_and_later_ones_only_while_earlier_ones_are_excluded():
    project, alice, *_ = judged(1, 1, 1, 0, 0)
    late = make.person(project)
    exclude(alice)
    make.judge_all(late, 0)
    step = reinstate(alice)
    assert late.user.slots.get().excluded_by == step
    assert (excluded_of(alice), tally()) == ([None], [[2, 3]])
    exclude(alice)
    assert (excluded_of(late), tally()) == ([None], [[3, 2]])
    exclude(late)
    assert open_slots() == [7]
    reinstate(alice)
    assert (open_slots(), excluded_of(late), tally()) == ([], ["exclude"], [[2, 3]])
    reinstate(late)
    assert (excluded_of(late), tally()) == (["reinstate"], [[2, 3]])


def test_an_answer_that_was_surplus_counts_again_in_the_stead_of_anybodys():
    project, alice, bob, *_ = judged(1, 1, 1, 0, 0)
    late = make.person(project)
    exclude(alice)
    make.judge_all(late, 0)
    reinstate(alice)
    exclude(bob)
    assert (excluded_of(late), open_slots(), tally()) == ([None], [], [[3, 2]])


MORE = {"judgments_per_pair": 3, "consensus_min_votes": 3, "judgments_at_most": 7}


def test_an_exclusion_after_which_fewer_votes_settle_a_pair_makes_later_ones_surplus():
    project, _, no, *_, last = judged(1, 0, 1, 1, 1, **MORE)
    assert tally() == [[1, 4]]
    step = exclude(no)
    assert last.user.slots.get().excluded_by == step
    assert last.user.slots.get().is_surplus
    assert tally() == [[0, 3]]
    with pytest.raises(Refused, match="no excluded answers"):
        reinstate(last)
    reinstate(no)
    assert (excluded_of(last), tally(), invariants.broken(project)) == ([None], [[1, 4]], [])


def test_a_surplus_answer_of_a_person_who_is_excluded_stays_out_when_the_others_return():
    project, _, no, *_, last = judged(1, 0, 1, 1, 1, **MORE)
    exclude(no)
    exclude(last)
    reinstate(no)
    assert (last.user.slots.get().is_excluded, tally(), open_slots()) == (True, [], [6])
    reinstate(last)
    assert (tally(), open_slots(), invariants.broken(project)) == ([[1, 4]], [], [])


def test_an_undecided_pair_asks_for_one_more_and_is_not_decided_too_early():
    project, alice, *_ = judged(1, 1, 1)
    exclude(alice)
    late = [make.person(project) for _ in range(3)]
    make.judge_next(late[0])
    assert make.undo(late[0]).label is None
    for member in late:
        assert tally() == []
        make.judge_all(member, 0)
    assert tally() == [[3, 2]]


def test_what_is_open_on_a_pair_that_was_set_aside_stays_out_of_the_queue():
    project, alice, *_ = judged(1, 1, 1)
    SentencePair.objects.update(set_aside_at=timezone.now())
    Judgment.objects.filter(submitted_at=None).update(queue_key=None)
    exclude(alice)
    assert (
        list(Judgment.objects.filter(submitted_at=None).values_list("queue_key")) == [(None,)] * 3
    )
    assert make.claim(make.person(project)) is None


def test_answers_to_gold_pairs_are_marked_and_never_asked_for_again():
    project, [alice] = study(4, people=1, gold_every=2)
    [gold] = make.gold_pairs(project, [0])
    make.judge_all(alice, 1)
    step = exclude(alice)
    assert gold.slots.get().excluded_by == step
    reinstate(alice)
    assert gold.slots.get().excluded_by is None
    assert not Consensus.objects.filter(pair=gold).exists()


def test_only_answers_that_were_given_before_and_in_the_project_are_excluded():
    project, alice, *_ = judged(1, 1, 1, 0, 0)
    other, *_ = judged(1, 1, 1, 1)
    make.judge_all(projects.add_member(other, alice.user), 1)
    exclude(alice)
    make.pairs(project, 1)
    assert make.judge_all(alice, 1) == 1
    assert excluded_of(alice) == ["exclude", None, None]
    exclude(alice)
    assert sorted(map(str, excluded_of(alice))) == ["None", "exclude", "exclude"]
    reinstate(alice)
    assert excluded_of(alice) == [None] * 3


@pytest.mark.both_engines
@BOTH_ORDERS
def test_new_slots_are_found_by_people_whose_place_is_beyond_them(order):
    project, alice, *_ = judged(1, 1, 1, 1, 1, pairs=3, order=order)
    newcomer = make.person(project)
    make.pairs(project, 1)
    assert make.judge_all(newcomer, 1) == 1
    exclude(alice)
    assert make.judge_all(newcomer, 1) == 3


PEOPLE = 6
PROTOCOLS = {
    "plain": {"judgments_per_pair": 2, "consensus_min_votes": 2},
    "early": {"judgments_per_pair": 3, "consensus_min_votes": 2, "decides_early": True},
    "more": {"judgments_per_pair": 2, "consensus_min_votes": 2, "judgments_at_most": 4},
}
person = st.integers(0, PEOPLE - 1)
answer = st.tuples(st.just("answer"), person, st.integers(0, 1))
STEPS = ["exclude", "reissue", "reinstate", "undo", "there_and_back", "reopen"]
step = st.tuples(st.sampled_from(STEPS), person)


def act(member, what, label=0):
    if what == "answer" and make.claim(member) is not None:
        make.judge_next(member, label)
    elif what == "undo":
        make.undo(member)
    elif what == "reopen":
        pairs = list(member.project.pairs.values_list("public_id", flat=True))
        agreement.reopen(member.project, pairs, by=member.user)
    elif what == "reissue":
        others = member.project.memberships.exclude(pk=member.pk)
        Duty.objects.filter(membership=others.earliest("pk")).update(takes_reserved=True)
        with suppress(Refused):
            interventions.exclude(member, by=None, reason="These look like guesses.", reissued=True)
    elif what in ("exclude", "reinstate"):
        with suppress(Refused):
            globals()[what](member)
    elif what == "there_and_back" and not member.interventions.filter(kind="exclude").exists():
        *before, _ = stored(member.project)
        act(member, "exclude")
        act(member, "reinstate")
        *after, _ = stored(member.project)
        assert after == before


@pytest.mark.both_engines
@BOTH_ORDERS
@pytest.mark.parametrize("protocol", PROTOCOLS)
@hypothesis.settings(max_examples=hypothesis.settings().max_examples // 5)  # each makes a study
@hypothesis.given(steps=st.lists(st.one_of(answer, answer, step), max_size=30))
def test_no_order_of_steps_breaks_a_study(order, protocol, steps):
    project, people = study(2, people=PEOPLE, order=order, **PROTOCOLS[protocol])
    for what, who, *label in steps:
        act(people[who], what, *label)
        assert invariants.broken(project) == []
