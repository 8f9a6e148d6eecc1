"""The best and all others ask for pairs at the same moment, in processes of their own."""

from functools import partial

from annotation.models import Slot
from annotation.quality.services import interventions, reissue
from tests.annotation import invariants, judged, make
from tests.annotation.careless import LOOSE
from tests.annotation.small_study import reread
from tests.thorough.races.at_once import at_once, outcome

PAIRS, BEST, OTHERS = 30, 3, 4


def prepared():
    """A careless person who has judged all pairs with two others, the best, and newcomers."""
    project = make.study(protocol="parade")
    careless, *beside = judged.people(project, 3)
    votes = [(0, 3, 3), (3, 0, 0)] * (PAIRS // 2)
    judged.pairs_of(project, votes, by=[[careless, *beside]] * PAIRS)
    best = judged.people(project, BEST)
    for label in (2, 1, 2, 1):
        judged.pairs_of(project, [[label] * BEST], by=[best])
    return project, careless, best, judged.people(project, OTHERS)


def reissued(*, reserved=True, taken_back=False):
    """All open slots are those of the careless person; everybody asks for them."""
    project, careless, best, others = prepared()
    reissue.carry_out(reissue.plan(project, **LOOSE), None)
    slots = Slot.objects.filter(pk__in=list(Slot.objects.unanswered().values_list("pk", flat=True)))
    if not reserved:
        slots.update(reserved=False)
    work = [partial(judge_all, member) for member in (*best, *others, careless)]
    if taken_back:
        work.append(partial(put_back, careless))
    _, met = at_once(work)
    return state_of(project, best, slots, met)


def carried_out_at_work():
    """The plan is carried out while the best and the others judge other pairs."""
    project, _, best, others = prepared()
    plan = reissue.plan(project, **LOOSE)
    make.pairs(project, PAIRS)
    work = [partial(judge_all, member) for member in (*best, *others)]
    done, met = at_once([*work, partial(reissue.carry_out, plan, None)])
    for member in best:
        judge_all(member)
    found = state_of(project, best, Slot.objects.filter(reserved=True), met)
    return found | {"carried out": PAIRS in done}


def state_of(project, best, slots, met):
    given = set(slots.answered().values_list("annotator", flat=True))
    return {
        "met": met,
        "by others": len(given - {each.user_id for each in best}),
        "open": Slot.objects.unanswered().filter(project=project).count(),
        "broken": invariants.broken(project),
    }


def judge_all(member):
    return make.judge_all(reread(member), 2)


def put_back(member):
    interventions.reinstate(reread(member), by=None, reason="They were none.")
    return 0


def test_reserved_slots_go_to_the_best_alone_and_each_to_one(installation):
    found = outcome(installation, reissued)
    assert found == {"met": [], "by others": 0, "open": 0, "broken": []}


def test_answers_put_back_meanwhile_leave_a_sound_study(installation):
    found = outcome(installation, reissued, taken_back=True)
    # An answer is refused where its slot is no longer needed.
    assert set(found.pop("met")) <= {"NotHeld"}
    assert found == {"by others": 0, "open": 0, "broken": []}


def test_a_plan_is_carried_out_while_everybody_is_at_work(installation):
    found = outcome(installation, carried_out_at_work)
    assert found == {"met": [], "by others": 0, "open": 0, "broken": [], "carried out": True}


def test_control_slots_that_are_not_reserved_go_to_others_too(installation):
    assert outcome(installation, reissued, reserved=False)["by others"] > 0
