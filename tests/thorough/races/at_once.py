"""Pieces of work that begin at the same moment, each in a process of its own."""

import json
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing.synchronize import Barrier
from types import ModuleType
from typing import Any
from unittest import mock

from django.db import connection, transaction
from django.db.models import QuerySet

from tests.services.installation import Installation

FORK = multiprocessing.get_context("fork")
LONG = 120.0  # nothing takes so long but what hangs
Place = tuple[ModuleType, str]


def outcome(installation: Installation, function: Callable[..., Any], **arguments: Any) -> Any:
    """What a function of a module returns in a process that works on the installation."""
    name = function.__name__
    code = f"""\
import json
from {function.__module__} import {name}
print(json.dumps({name}(**{arguments!r})))"""
    return json.loads(installation.run(code, timeout=5 * LONG).splitlines()[-1])


def at_once(
    work: Sequence[Callable[[], Any]], *, bare: Place | None = None, meet_at: Place | None = None
) -> tuple[list[Any], list[str]]:
    """Do all work at once; returns what came of each and the names of the errors that were met.

    With `bare`, a service that is a transaction, it is done without that and without row locks, and
    the first call of `meet_at` begins and ends in all processes at the same moment.
    """
    connection.close()
    barrier, done = FORK.Barrier(len(work)), FORK.SimpleQueue()
    gate = FORK.Barrier(len(work))
    guard = (lambda: _unguarded(bare, meet_at, gate)) if bare and meet_at else nullcontext
    run_all(FORK.Process(target=_do, args=(each, barrier, done, guard)) for each in work)
    found = []
    while not done.empty():
        found.append(done.get())
    values = [value for value, error in found if error is None]
    return values, sorted(error for _, error in found if error is not None)


def run_all(processes: Any) -> None:
    """Run processes to their end. Raises AssertionError where one has crashed."""
    connection.close()
    started = list(processes)
    for process in started:
        process.start()
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0] * len(started)


def _do(work: Callable[[], Any], barrier: Barrier, done: Any, guard: Any) -> None:
    connection.ensure_connection()
    barrier.wait(LONG)
    with guard():
        try:
            done.put((work(), None))
        except Exception as error:  # what a person would have met is reported, not hidden
            done.put((None, type(error).__name__))


@contextmanager
def _unguarded(bare: Place, meet_at: Place, gate: Barrier) -> Iterator[None]:
    """No row locks on Postgres; on SQLite, statements that each commit alone."""
    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (transaction, "atomic", mock.Mock(side_effect=lambda *a, **o: nullcontext())),
            (*bare, getattr(*bare).__wrapped__),
            (*meet_at, _together(gate, getattr(*meet_at))),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield


def _together(gate: Barrier, function: Callable[..., Any]) -> Callable[..., Any]:
    waits = iter([gate.wait])

    def called(*arguments: Any, **options: Any) -> Any:
        wait = next(waits, lambda _: None)
        wait(LONG)
        try:
            return function(*arguments, **options)
        finally:
            wait(LONG)

    return called
