"""Undo in several tabs and by people whose items cross: no error, no gap, no deadlock."""

from functools import partial
from unittest import mock

import pytest

from annotation.models import Slot
from annotation.work import answers, queue
from tests.annotation import make
from tests.thorough.races.at_once import FORK, LONG, at_once, outcome

ROUNDS, STEPS, TABS = 20, 60, 3


def tabs():
    """One person answers and undoes in several tabs. Are all numbers there? And the errors met."""
    project = make.study(skipping="later")
    make.pairs(project, STEPS * TABS)
    alice = make.person(project)
    _, met = at_once([lambda tab=tab: go_on(alice, tab) for tab in range(TABS)])
    serials = Slot.objects.filter(annotator=alice.user).answered().order_by("submitted_at")
    numbers = list(serials.values_list("serial", flat=True))
    return [numbers == list(range(1, len(numbers) + 1)), met]


def go_on(member, tab):
    for step in range(STEPS):
        duty = member.duty("judge")
        shown = answers.turn(duty).shown
        if (step + tab) % 3 == 0:
            answers.undo(duty)
        elif shown is not None:
            answers.turn(duty, {"item": shown.id, "label": 1})


def crossing(*, guarded=True):
    """Each of two people has answered what the other holds; both undo. Returns errors met."""
    all_met = []
    for _ in range(ROUNDS if guarded else 1):
        project = make.study()
        make.pairs(project, 2)
        people = [make.person(project) for _ in range(2)]
        make.judge_next(people[0])
        cross(project, people)
        gate = FORK.Barrier(2)
        work = [partial(undo, each, None if guarded else gate) for each in people]
        all_met += at_once(work)[1]
    return all_met


def cross(project, people):
    """The first person has answered the first pair and holds the second; the second, vice versa."""
    first, second = people
    make.claim(first)
    ahead = make.claim(second)
    assert make.claim(first).item != ahead.item
    Slot.objects.filter(pk=ahead.pk).update(annotator=None, lease_until=None)
    other = project.pairs.order_by("-pk")[0].slots.filter(annotator=None).order_by("number")[0]
    Slot.objects.filter(pk=other.pk).update(annotator=second.user)
    make.submit(second, item=other.item.public_id, label=1)
    assert make.claim(second).item == ahead.item


def undo(member, gate):
    """Without a guard: the item in progress is released before the slots of the other."""
    release = queue.release

    def together(duty, *, answers):
        release(duty, answers=answers)
        gate.wait(LONG)

    if gate is None:
        return answers.undo(member.duty("judge")) is not None
    with (
        mock.patch.object(answers, "_lock"),
        mock.patch.object(queue, "release", together),
    ):
        return answers.undo(member.duty("judge")) is not None


def test_several_tabs_meet_no_error_and_leave_no_gap(installation):
    assert outcome(installation, tabs) == [True, []]


def test_crossing_undos_wait_for_each_other(installation):
    assert outcome(installation, crossing) == []


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_crossing_undos_in_another_order_block_each_other(installation):
    assert outcome(installation, crossing, guarded=False) == ["OperationalError"]
