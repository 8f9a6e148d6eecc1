"""An answer comes in the middle of a manager's step: two processes, made to meet each time.

The step halts until the answer is stored, or is seen to wait for the step.
"""

from unittest import mock

import pytest
from django.db import IntegrityError
from django.db.models import QuerySet

from annotation.models import Judgment
from annotation.quality.services import exclusion, interventions
from tests.annotation import invariants, make
from tests.annotation.small_study import judge, reread, study
from tests.thorough.races.at_once import FORK, Meeting, outcome, run_all

WAITED = {"waits": 1, "said": "stored", "kept": True, "step": "taken", "broken": []}
# A step halts after a function. When it is guarded and when it is not, this comes of the answer.
# Unguarded, the answer decides with too few, or asks one more person as the step does.
STEPS = {
    "reinstate": (
        {"judged_by": 5, "after": "_lock_slots"},
        WAITED | {"said": "NotHeld", "kept": False},
        [WAITED | {"waits": 0, "kept": False}],
    ),
    "exclude": (
        {"judged_by": 4, "after": "_mark_answers"},
        WAITED,
        [
            WAITED | {"waits": 0, "broken": ["pair 1: decided with [1, 1, 1, 1]"]},
            WAITED | {"waits": 0, "step": "IntegrityError"},
        ],
    ),
}


def take(member, name, guarded=True):
    """Take a step; unguarded, without row locks and without its transaction."""
    step = getattr(interventions, name)
    if guarded:
        step(member, by=None, reason="We shall see.")
    else:
        with mock.patch.object(QuerySet, "select_for_update", lambda rows, **_: rows):
            step.__wrapped__(member, by=None, reason="We shall see.")


def meet(*, name, judged_by, after, guarded=True):
    """The first judge is excluded or reinstated while the last one answers."""
    project, _ = study(pairs=1)
    first, *_ = judge(project, *[1] * judged_by)
    last = make.person(project)
    if name == "reinstate":
        take(first, "exclude")
    pair = make.claim(last).item.public_id
    meeting, said, function = Meeting(), FORK.SimpleQueue(), getattr(exclusion, after)
    step = FORK.SimpleQueue()

    def halting(*arguments):
        returned = function(*arguments)
        meeting.halt()
        return returned

    def manage():
        try:
            take(first, name, guarded)
        except IntegrityError as error:
            step.put(type(error).__name__)
        else:
            step.put("taken")

    def answer():
        refusal = make.turn(reread(last), item=pair, label=1).refusal
        said.put(type(refusal).__name__ if refusal else "stored")

    with mock.patch.object(exclusion, after, halting):
        run_all([FORK.Process(target=manage), FORK.Process(target=meeting.begin, args=(answer,))])
    kept = Judgment.objects.filter(annotator=last.user_id, submitted_at__isnull=False).exists()
    came_of_it = {"waits": meeting.waits.value, "said": said.get(), "kept": kept}
    return came_of_it | {"step": step.get(), "broken": invariants.broken(project)}


@pytest.mark.parametrize("name", STEPS)
def test_an_answer_in_the_middle_of_a_step_waits_for_its_end(installation, name):
    arguments, waited, _ = STEPS[name]
    assert outcome(installation, meet, name=name, **arguments) == waited


@pytest.mark.parametrize("name", STEPS)
def test_control_without_guard_an_answer_is_lost_or_lacks_where_it_counts(installation, name):
    arguments, _, lost = STEPS[name]
    assert outcome(installation, meet, name=name, **arguments, guarded=False) in lost
