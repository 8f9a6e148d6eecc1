"""Pieces of work that begin at the same moment, each in a process of its own."""

import json
import multiprocessing
import time
from contextlib import ExitStack, contextmanager, nullcontext
from unittest import mock

from django.db import OperationalError, connection, transaction
from django.db.models import QuerySet

FORK = multiprocessing.get_context("fork")
LONG = 120.0  # nothing takes so long but what hangs
# Whether another process waits for a lock of this one.
WAITED_FOR = """
SELECT EXISTS (SELECT FROM pg_locks
WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))"""


def outcome(installation, function, **arguments):
    """What a function of a module returns in a process that works on the installation."""
    name = function.__name__
    code = f"import json; from {function.__module__} import {name}\n"
    code += f"print(json.dumps({name}(**{arguments!r})))"
    return json.loads(installation.run(code, timeout=5 * LONG).splitlines()[-1])


def at_once(work, *, bare=None, meet_at=None):
    """Do all work at once; returns what came of each and the names of the errors that were met.

    With `bare`, a (module, name) of a service that is a transaction, it is done without that and
    without row locks, and the first call of `meet_at` begins and ends in all processes together.
    """
    barrier, gate = FORK.Barrier(len(work)), FORK.Barrier(len(work))
    done = FORK.SimpleQueue()

    def do(each):
        connection.ensure_connection()
        barrier.wait(LONG)
        with _unguarded(bare, meet_at, gate) if bare else nullcontext():
            try:
                done.put((each(), None))
            except Exception as error:  # what a person would have met is reported, not hidden
                done.put((None, type(error).__name__))

    run_all(FORK.Process(target=do, args=(each,)) for each in work)
    found = []
    while not done.empty():
        found.append(done.get())
    values = [value for value, error in found if error is None]
    return values, sorted(error for _, error in found if error is not None)


def run_all(processes):
    """Run processes to their end. Raises AssertionError where one has crashed."""
    connection.close()
    started = list(processes)
    for process in started:
        process.start()
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0] * len(started)


@contextmanager
def _unguarded(bare, meet_at, gate):
    """No row locks on Postgres; on SQLite, statements that each commit alone."""
    function, waits = getattr(*meet_at), iter([gate.wait])

    def together(*arguments, **options):
        wait = next(waits, lambda _: None)
        wait(LONG)
        try:
            return function(*arguments, **options)
        finally:
            wait(LONG)

    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (transaction, "atomic", mock.Mock(side_effect=lambda *a, **o: nullcontext())),
            (*bare, getattr(*bare).__wrapped__),
            (*meet_at, together),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield


def is_waited_for(waits):
    if connection.vendor == "postgresql":  # SQLite cannot tell; the answer has looked
        with connection.cursor() as cursor:
            waits.value = cursor.execute(WAITED_FOR).fetchone()[0]
    return waits.value


def is_locked():
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            with transaction.atomic():
                return False
        except OperationalError:
            return True
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {1000 * LONG:.0f}")


class Meeting:
    """One process halts in the middle of what it does; the other begins then."""

    def __init__(self):
        self.halted, self.done = FORK.Event(), FORK.Event()
        self.waits = FORK.Value("i", 0)

    def halt(self):
        self.halted.set()
        deadline = time.monotonic() + LONG
        while not self.done.is_set() and not is_waited_for(self.waits):
            assert time.monotonic() < deadline

    def begin(self, act):
        assert self.halted.wait(LONG)
        if connection.vendor == "sqlite":
            self.waits.value = is_locked()
        try:
            act()
        finally:
            self.done.set()
