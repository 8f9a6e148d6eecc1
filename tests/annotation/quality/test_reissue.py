"""Answers of annotators with a low kappa go to the best ones, and come back (PARADE 4.3)."""

import pytest

from accounts.models import AuditEntry
from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Recusal, Slot
from annotation.people.services import members
from annotation.quality.selectors import reserved
from annotation.quality.services import interventions, reissue
from annotation.work import queue
from tests.annotation import invariants, judged, make
from tests.annotation.careless import LOOSE, crowd, small
from tests.annotation.small_study import BOTH_ORDERS, reread

pytestmark = pytest.mark.django_db


def counted(project):
    """Everything that figures and releases read."""
    answers = Judgment.objects.filter(project=project).counting().order_by("pk")
    decided = Consensus.objects.filter(pair__project=project).order_by("pair")
    return (
        list(answers.values_list("pk", "item", "annotator", "label", "number")),
        list(decided.values_list("pair", "tally", "label", "kept", "decided_at")),
    )


def open_reserved(project):
    return Slot.objects.unanswered().filter(project=project, reserved=True)


def names(rated):
    return {each.membership.user for each in rated}


def test_of_forty_annotators_the_two_who_throw_coins_are_replaced_by_the_best():
    project, coins, others = crowd()
    before, plan = counted(project), reissue.plan(project)
    assert names(plan.low) == {each.user for each in coins}
    kappas = [each.kappa for each in plan.best]
    assert (len(kappas), kappas) == (5, sorted(kappas, reverse=True))
    assert min(kappas) > 0.75 > 0.4 > max(each.kappa for each in plan.low)
    theirs = Judgment.objects.filter(project=project, annotator__in=names(plan.low))
    assert (plan.slots, plan.stuck) == (theirs.count(), 0)
    assert counted(project) == before  # a plan changes nothing
    assert reissue.carry_out(plan, None) == plan.slots == open_reserved(project).count()
    assert set(theirs.values_list("excluded_by__kind", flat=True)) == {"exclude"}
    best = [each.membership for each in plan.best]
    for member in (*coins, *others[:8]):  # those of others are all in best's hands
        if member not in best:
            assert make.claim(reread(member)) is None
    for member in map(reread, best):
        make.judge_all(member, 2)
    given = Slot.objects.filter(project=project, reserved=True)
    assert given.count() == plan.slots
    assert set(given.values_list("annotator", flat=True)) <= {each.user_id for each in best}
    assert Consensus.objects.filter(pair__project=project).count() == 480
    assert invariants.broken(project) == []
    assert names(reissue.plan(project).low) == set()
    for member in coins:
        interventions.reinstate(member, by=None, reason="They were none.")
    assert counted(project) == before
    assert invariants.broken(project) == []


@BOTH_ORDERS
@pytest.mark.both_engines
def test_answers_put_back_before_others_are_given_leave_no_reserved_slot(order):
    project, people, _ = small([2, 1, 2, 1], order=order)
    # An undecided pair, which the careless person alone has judged.
    judged.pairs_of(project, [[1]], by=[people[:1]])
    before, queued = counted(project), Slot.objects.unanswered().count()
    plan = reissue.plan(project, **LOOSE)
    assert (names(plan.low), plan.slots) == ({people[0].user}, 5)
    reissue.carry_out(plan, None)
    assert open_reserved(project).count() == 5
    # Ordinary slots of the pair do not wait for the reserved one.
    assert make.claim(make.person(project)) is not None
    held = make.claim(reread(plan.best[0].membership))
    assert held.reserved
    interventions.reinstate(people[0], by=None, reason="They were none.")
    assert counted(project) == before
    assert not open_reserved(project).exists()
    assert Slot.objects.unanswered().count() == queued
    assert invariants.broken(project) == []


@pytest.mark.both_engines
def test_the_best_who_have_had_a_pair_do_not_get_it_and_the_plan_says_how_many_are_stuck():
    project, people, pairs = small()
    plan = reissue.plan(project, **LOOSE)
    assert (names(plan.best), plan.stuck) == ({each.user for each in people[1:]}, 4)
    with pytest.raises(Refused, match="4 answers"):
        reissue.carry_out(plan, None)
    assert not Judgment.objects.filter(excluded_by__isnull=False).exists()
    project, people, pairs = small([2, 1, 2, 1])
    corrector = people[3].user
    Recusal.objects.create(item=pairs[0], annotator=corrector, person=corrector)
    plan = reissue.plan(project, **LOOSE)
    assert plan.stuck == 1
    assert reissue.plan(project, **LOOSE | {"above": 1.0}).stuck == 4  # nobody is above
    reissue.carry_out(plan, None, anybody=True)
    assert open_reserved(project).count() == 3
    people[3].role = "manager"  # who could look up the earlier answers
    people[3].save()
    assert reissue.plan(project, **LOOSE).best == ()
    people[3].role = "annotator"
    people[3].save()
    anybody = make.person(project)
    assert make.judge_all(anybody, 2) == 1
    assert anybody.user.slots.get().item_id == pairs[0].pk
    assert make.judge_all(reread(people[3]), 2) == 3
    entry = AuditEntry.objects.get(act="reissued")
    counts = [entry.details[name] for name in ("answers", "for_anybody", "most", "fewest")]
    assert counts == [4, 1, LOOSE.get("most", 5), LOOSE["fewest"]]
    assert entry.details["low"] == [str(people[0].user.public_id)]


@pytest.mark.both_engines
def test_a_plan_for_other_people_than_were_seen_or_for_none_is_not_carried_out():
    project, people, _ = small([2, 1, 2, 1])
    plan = reissue.plan(project, **LOOSE)
    interventions.pause(plan.best[0].membership, by=None, reason="Wait, please.")
    with pytest.raises(reissue.Changed):
        reissue.carry_out(plan, None)
    for wrong in ({"below": -0.1}, {"above": 1.1}, {"most": 0}, {"fewest": 0}, {"below": 0.8}):
        with pytest.raises(ValueError, match=r"not between|exceeds above"):
            reissue.plan(project, **wrong)
    nobody = reissue.plan(project)  # of 30 decided pairs
    assert (nobody.low, nobody.best, nobody.slots, nobody.stuck) == ((), (), 0, 0)
    with pytest.raises(Refused, match="No annotator"):
        reissue.carry_out(nobody, None)
    interventions.exclude(people[0], by=None, reason="These look like guesses.")
    assert reissue.plan(project, **LOOSE).low == ()  # what is excluded is not planned again


@pytest.mark.parametrize("leaves", ["paused", "removed", "skips nothing"])
@pytest.mark.both_engines
def test_slots_of_the_best_who_leave_are_stuck_until_a_manager_opens_them(leaves):
    project, people, _ = small([2, 1, 2, 1])
    boss = make.person(project, role="manager").user
    plan = reissue.plan(project, **LOOSE)
    reissue.carry_out(plan, boss)
    best = reread(people[3])
    assert (reserved.waiting(project).slots, reserved.waiting(project).stuck) == (4, 0)
    assert reissue.release(project, by=boss) == 0
    if leaves == "paused":
        interventions.pause(best, by=None, reason="Wait, please.")
    elif leaves == "removed":
        members.remove(best, by=boss)
    found = reserved.waiting(project)
    assert found.stuck == (0 if leaves == "skips nothing" else 4)
    newcomer = make.person(project)
    assert make.claim(newcomer) is None
    assert reissue.release(project, by=boss, every=not found.stuck) == 4
    assert (reserved.waiting(project).slots, make.judge_all(newcomer, 3)) == (0, 4)


@pytest.mark.both_engines
def test_a_slot_in_progress_is_not_stuck_and_stays_with_its_person_when_opened():
    project, people, _ = small([2, 1, 2, 1])
    reissue.carry_out(reissue.plan(project, **LOOSE), None)
    best = reread(people[3])
    held = make.claim(best)
    interventions.pause(best, by=None, reason="Wait, please.")
    assert reserved.waiting(project).stuck == 3
    assert reissue.release(project, by=None, every=True) == 4
    slot = make.submit(best, item=held.item.public_id, label=2)
    assert (slot.annotator, slot.pk) == (best.user, held.pk)
    queue.give_back_all(Slot.objects.of_member(best))
    assert make.judge_all(make.person(project), 2) == 3
