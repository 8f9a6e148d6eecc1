"""A crowd of real processes that come in at once; run inside an Installation.

Prints one JSON object: what the database holds in the end, and the errors that people met.
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from datetime import timedelta
from multiprocessing.synchronize import Barrier
from typing import Any
from unittest import mock

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from annotation.known_lines import KnownPair
from annotation.models import Membership, QualificationAttempt, Role
from annotation.selectors import qualification as selectors
from annotation.services import invitations, people, project_settings, qualification
from tests.annotation import cast

LONG = 60.0
COME_IN = invitations.join.__wrapped__
STEP_DOWN = people.change.__wrapped__


def join(*, most_people: int, newcomers: int, tabs: int = 1, guarded: bool = True) -> None:
    """Let more people than an invitation is for accept it in the same moment, each in some tabs."""
    manager = cast.person(cast.study(), role=Role.MANAGER)
    end = timezone.now() + timedelta(hours=1)
    invitation, _secret = invitations.create(
        manager.project, by=manager.user, expires_at=end, most_people=most_people
    )
    users = [User.objects.create_user(f"newcomer-{n}") for n in range(newcomers)]
    enter = invitations.join if guarded else COME_IN
    work = [
        lambda user=user: enter(str(invitation.public_id), user)
        for user in users
        for _ in range(tabs)
    ]
    met = at_once(work, guarded)
    print(json.dumps({"joined": invitation.memberships.count(), "met": met}))


def step_down(*, managers: int, guarded: bool = True) -> None:
    """Let all managers of a project step down in the same moment."""
    project = cast.study()
    places = [cast.person(project, role=Role.MANAGER) for _ in range(managers)]
    change = people.change if guarded else STEP_DOWN
    other = {"role": Role.ANNOTATOR, "may_correct": True, "may_judge": True}
    met = at_once([lambda place=place: change(place, **other) for place in places], guarded)
    left = Membership.objects.filter(role=Role.MANAGER).count()
    print(json.dumps({"managers": left, "met": met}))


def qualify(*, tabs: int, pairs: int) -> None:
    """Let one person answer the whole set in several tabs at once, each tab alike."""
    member = cast.person(cast.study(asks_qualification=True))
    lines = [KnownPair(f"{n} a", f"a {n}", n % 2) for n in range(pairs)]
    qualification.add(member.project, lines)
    met = at_once([lambda: _answer_all(member)] * tabs, True)
    attempts = list(QualificationAttempt.objects.values_list("passed", "share"))
    answers = [attempt.answers.count() for attempt in QualificationAttempt.objects.all()]
    print(json.dumps({"attempts": attempts, "answers": answers, "met": met}))


def _answer_all(member: Membership) -> None:
    attempt = qualification.begin(member)
    for pair in selectors.remaining(attempt):
        qualification.answer(member, pair=pair.public_id, label=pair.label)


def at_once(work: list[Callable[[], object]], guarded: bool) -> list[str]:
    """Do each piece of work in a process of its own; returns the errors that were met."""
    connection.close()
    fork = multiprocessing.get_context("fork")
    barrier, met = fork.Barrier(len(work)), fork.SimpleQueue()
    gate = None if guarded else fork.Barrier(len(work))
    crowd = [fork.Process(target=_do, args=(each, barrier, met, gate)) for each in work]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    errors = []
    while not met.empty():
        errors.append(met.get())
    return sorted(errors)


def _do(work: Callable[[], object], barrier: Barrier, met: Any, gate: Barrier | None) -> None:
    connection.ensure_connection()
    barrier.wait()
    with _unguarded(gate) if gate else nullcontext():
        try:
            work()
        except Exception as error:  # whatever a person would have met is reported, not hidden
            met.put(type(error).__name__)


@contextmanager
def _unguarded(gate: Barrier) -> Iterator[None]:
    """No row locks on Postgres; on SQLite, statements that each commit alone.

    Nobody acts upon what they have read before all have read it.
    """
    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (transaction, "atomic", mock.Mock(side_effect=lambda *a, **o: nullcontext())),
            (people, "_other_managers", together(gate, people._other_managers)),
            (invitations, "_place", together(gate, invitations._place)),
            (project_settings, "_moved", together(gate, project_settings._moved)),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield


def together(gate: Barrier, function: Callable[..., Any]) -> Callable[..., Any]:
    """The same; the first call begins in all processes at once, and ends in all at once."""
    first = iter([gate.wait])

    def met(*arguments: Any) -> Any:
        wait = next(first, None)
        if wait is None:
            return function(*arguments)
        wait(LONG)
        try:
            return function(*arguments)
        finally:
            wait(LONG)

    return met
