"""Undo in several tabs and by people whose items cross: no error, no gap, no deadlock."""

import time
from functools import partial
from unittest import mock

import pytest
from django.db import connection

from annotation.models import Slot
from annotation.work import answers, judge_postgres, queue, tries
from tests.annotation import make
from tests.thorough.races.at_once import FORK, LONG, WAITED_FOR, at_once, outcome, run_all

ROUNDS, STEPS, TABS = 20, 60, 3


def tabs():
    """One person answers and undoes in several tabs. Are all numbers there? And the errors met."""
    project = make.study(skipping="later")
    make.pairs(project, STEPS * TABS)
    alice = make.person(project)
    _, met = at_once([lambda tab=tab: go_on(alice, tab) for tab in range(TABS)])
    numbers = numbers_of(alice)
    return [numbers == list(range(1, len(numbers) + 1)), met]


def numbers_of(member):
    answered = Slot.objects.filter(annotator=member.user).answered().order_by("serial")
    return list(answered.values_list("serial", flat=True))


def go_on(member, tab):
    for step in range(STEPS):
        duty = member.duty("judge")
        shown = answers.turn(duty).shown
        if (step + tab) % 3 == 0:
            answers.undo(duty)
        elif shown is not None:
            answers.turn(duty, {"item": shown.id, "label": 1})


def repeated(*, guarded=True):
    """An answer is sent a second time while its undo is under way. Returns all numbers."""
    project = make.study()
    make.pairs(project, 3)
    alice = make.person(project)
    make.judge_next(alice)
    last = make.judge_next(alice).item.public_id
    make.claim(alice)
    locked = FORK.Event()
    empty = answers._write

    def once_waited_for(slot, columns):
        empty(slot, columns)
        locked.set()
        with connection.cursor() as cursor:
            while not cursor.execute(WAITED_FOR).fetchone()[0]:
                time.sleep(0.01)

    def undo():
        with mock.patch.object(answers, "_write", once_waited_for):
            assert answers.undo(alice.duty("judge"))

    def send_again():
        locked.wait(LONG)
        statement = judge_postgres.statement
        used = statement if guarded else lambda *left_out: bare(statement(*left_out))
        with mock.patch.object(judge_postgres, "statement", used):
            answers.turn(alice.duty("judge"), {"item": last, "label": 1})

    run_all([FORK.Process(target=undo), FORK.Process(target=send_again)])
    return numbers_of(alice)


def bare(statement):
    """The statement that does not ask since when the slot is in progress."""
    return statement.replace("OR NOT EXISTS", "OR false AND NOT EXISTS", 1)


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
    Slot.objects.filter(pk=ahead.pk).update(annotator=None, person=None, lease_until=None)
    other = project.pairs.order_by("-pk")[0].slots.filter(annotator=None).order_by("number")[0]
    Slot.objects.filter(pk=other.pk).update(annotator=second.user, person=second.user)
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
        mock.patch.object(tries, "MOST", 1),
        mock.patch.object(answers, "_lock"),
        mock.patch.object(queue, "release", together),
    ):
        return answers.undo(member.duty("judge")) is not None


def test_several_tabs_meet_no_error_and_leave_no_gap(installation):
    assert outcome(installation, tabs) == [True, []]


@pytest.mark.parametrize("engine", ["postgres"])
def test_an_answer_that_waited_for_an_undo_is_numbered_again(installation):
    assert outcome(installation, repeated) == [1, 2]


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_an_answer_that_waited_for_an_undo_leaves_a_gap(installation):
    assert outcome(installation, repeated, guarded=False) == [1, 3]


def test_crossing_undos_wait_for_each_other(installation):
    assert outcome(installation, crossing) == []


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_crossing_undos_in_another_order_block_each_other(installation):
    assert outcome(installation, crossing, guarded=False) == ["OperationalError"]
