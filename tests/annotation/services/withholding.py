"""Real processes that judge while others' answers are held out and put back; two accounts at once.

Run inside an Installation; prints one JSON object: what is wrong in the end.
"""

import contextlib
import json
import multiprocessing
import random
import time
from collections import defaultdict
from collections.abc import Callable
from multiprocessing.synchronize import Event
from typing import Any

from django.db import connection

from annotation.errors import AnnotationError, Refused
from annotation.models import Intervention, Judgment, Membership
from annotation.services import interventions, judgments, same_person
from tests.annotation import cast
from tests.annotation.services import invariants

FORK = multiprocessing.get_context("fork")


def hold_out(*, people: int, pairs: int, steps: int) -> None:
    """Let people judge while the answers of one after the other are held out and put back."""
    project = cast.study()
    cast.pairs(project, pairs)
    members = [cast.person(project).pk for _ in range(people)]
    done, errors = FORK.Event(), FORK.SimpleQueue()
    manager = FORK.Process(target=_manage, args=(members, steps, done, errors))
    judges = [FORK.Process(target=_judge, args=(member, done, errors)) for member in members]
    _run([manager, *judges])
    print(
        json.dumps(
            {
                "broken": invariants.broken(project),
                "errors": _all(errors),
                "steps": Intervention.objects.count(),
            }
        )
    )


def share(*, people: int, pairs: int, marked: bool) -> None:
    """Let two accounts of one person, and others, judge at once; prints what the two share."""
    project = cast.study()
    cast.pairs(project, pairs)
    one, other, *others = [cast.person(project) for _ in range(people)]
    if marked:
        same_person.mark(one.user, other.user)
    done, errors = FORK.Event(), FORK.SimpleQueue()
    done.set()
    _run(
        FORK.Process(target=_judge, args=(member.pk, done, errors))
        for member in (one, other, *others)
    )
    had = defaultdict(set)
    for pair, annotator in Judgment.objects.filter(label__isnull=False).values_list(
        "pair", "annotator"
    ):
        had[annotator].add(pair)
    errors = _all(errors)
    print(json.dumps({"shared": len(had[one.user_id] & had[other.user_id]), "errors": errors}))


def _run(processes: Any) -> None:
    connection.close()
    crowd = list(processes)
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()


def _judge(member: int, done: Event, errors: Any) -> None:
    """Judge until nothing is left and nothing more can come."""
    try:
        while True:
            is_last = done.is_set()
            if not _judge_next(member) and is_last:
                return
    except Exception as error:  # whatever a person would have met is reported, not hidden
        errors.put(repr(error))


def _judge_next(member: int) -> bool:
    membership = Membership.objects.select_related("project", "user").get(pk=member)
    slot = judgments.turn(membership).held
    if slot is None:
        return False
    try:
        label = int(random.random() < 0.5)
        judgments.submit(membership, pair_public_id=slot.public_id, label=label, seconds=1.0)
    except AnnotationError:
        pass  # the slot is wanted no longer
    return True


def _manage(members: list[int], steps: int, done: Event, errors: Any) -> None:
    """Take so many steps, spread over the work."""
    slots = Judgment.objects.count()
    try:
        for step in range(steps):
            _wait_for(slots * (step + 1) // (steps + 1))
            membership = Membership.objects.get(pk=members[step % 5])
            _act(interventions.reinstate if step % 3 == 2 else interventions.hold_out, membership)
    except Exception as error:  # as above
        errors.put(repr(error))
    finally:
        done.set()


def _wait_for(answers: int) -> None:
    deadline = time.monotonic() + 60
    while Judgment.objects.filter(label__isnull=False).count() < answers:
        if time.monotonic() > deadline:
            raise TimeoutError(f"nobody gave {answers} answers")
        time.sleep(0.01)


def _act(service: Callable[..., Intervention], membership: Membership) -> None:
    with contextlib.suppress(Refused):  # nothing to hold out, or nothing to put back
        service(membership, by=None, reason="We shall see.")


def _all(errors: Any) -> list[str]:
    met = []
    while not errors.empty():
        met.append(errors.get())
    return met
