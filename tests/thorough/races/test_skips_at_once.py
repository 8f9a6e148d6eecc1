"""A skip is undone while other places in the queue change: no error, no deadlock."""

from contextlib import nullcontext
from functools import partial
from unittest import mock

import pytest

from annotation.models import Slot
from annotation.work import answers, queue, skips, tries
from tests.annotation import make
from tests.thorough.races.at_once import Meeting, at_once, outcome


def with_candidates(number):
    project = make.study(skipping="never")
    add_candidates(project, number)
    return project


def add_candidates(project, number):
    texts = [(f"Ada saw {n} dogs and Bo.", f"Bo saw {n} dogs and Ada.") for n in range(number)]
    make.candidates(project, texts)


def skip_next(member):
    duty = member.duty("correct")
    skips.skip(duty, item=answers.claim(duty).item.public_id, reason="unclear")


def in_two_tabs(*, guarded=True):
    """A person undoes a skip; in another tab they claim. Returns errors, and items in progress."""
    project = with_candidates(1)
    alice = make.person(project)
    skip_next(alice)
    make.claim(alice, "correct")  # nothing is left, which moves their place to the end
    add_candidates(project, 2)
    work = [undo_halting_in("take_again", queue, alice), partial(make.claim, alice, "correct")]
    return [meet(*work, guarded), Slot.objects.in_progress().count()]


def by_two_people(*, guarded=True):
    """Two people undo a skip each, with another item in progress. Returns errors, and items."""
    project = with_candidates(4)
    people = [make.person(project) for _ in range(2)]
    for member in people:
        skip_next(member)
    for member in people:
        make.claim(member, "correct")
    work = [undo_halting_in("take_back", skips, people[1]), partial(undo, people[0])]
    return [meet(*work, guarded), Slot.objects.in_progress().count()]


def meet(halting, other, guarded):
    meeting = Meeting()
    with nullcontext() if guarded else mock.patch.object(tries, "MOST", 1):
        _, met = at_once([partial(halting, meeting), partial(meeting.begin, other)])
    return met


def undo_halting_in(name, module, member):
    step = getattr(module, name)

    def undo_halting(meeting):
        def halted(*arguments, **options):
            meeting.halt()
            return step(*arguments, **options)

        with mock.patch.object(module, name, halted):
            undo(member)

    return undo_halting


def undo(member):
    assert answers.undo(member.duty("correct"))


def test_a_person_claims_in_one_tab_and_undoes_a_skip_in_another(installation):
    assert outcome(installation, in_two_tabs) == [[], 1]


def test_two_people_undo_skips(installation):
    assert outcome(installation, by_two_people) == [[], 2]


@pytest.mark.parametrize("engine", ["postgres"])
@pytest.mark.parametrize("crossing", [in_two_tabs, by_two_people])
def test_control_without_another_try_one_of_them_is_stopped(installation, crossing):
    assert outcome(installation, crossing, guarded=False)[0] == ["OperationalError"]
