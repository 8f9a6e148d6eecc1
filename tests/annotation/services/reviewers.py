"""Several processes that review one project at once; run inside an Installation.

Prints one JSON object: how many flags and pauses are on record, and the errors that were met.
"""

import json
import multiprocessing
from contextlib import ExitStack, contextmanager, nullcontext
from unittest import mock

from django.db import connection, transaction
from django.db.models import QuerySet

from annotation.models import Intervention, Project
from annotation.selectors import standing
from annotation.services import quality
from tests.annotation import cast
from tests.annotation.services import newcomers


def review(*, workers: int, guarded: bool = True) -> None:
    """Let all review a project in which one person disagrees with everybody."""
    project = cast.study(on_flag=Project.OnFlag.PAUSE)
    cast.pairs(project, 12)
    for label in (0, 0, 1):
        cast.judge_all(cast.person(project), label)
    connection.close()
    fork = multiprocessing.get_context("fork")
    barrier, met = fork.Barrier(workers), fork.SimpleQueue()
    gate = None if guarded else fork.Barrier(workers)
    crowd = [
        fork.Process(target=_review, args=(project.pk, barrier, met, gate)) for _ in range(workers)
    ]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    errors = []
    while not met.empty():
        errors.append(met.get())
    of_kind = Intervention.objects.filter
    disagrees = of_kind(kind="flag", evidence__flag="disagrees").count()
    print(json.dumps({"flags": disagrees, "met": errors, "pauses": of_kind(kind="pause").count()}))


def _review(project, barrier, met, gate) -> None:
    found = Project.objects.get(pk=project)
    barrier.wait()
    with _unguarded(gate) if gate else nullcontext():
        try:
            quality.review(found)
        except Exception as error:  # reported, not hidden
            met.put(repr(error))


@contextmanager
def _unguarded(gate):
    """No row locks on Postgres; on SQLite, statements that each commit alone.

    Nobody records before all have read what is on record.
    """
    with ExitStack() as stack:
        for target, name, instead in (
            (QuerySet, "select_for_update", lambda self, **options: self.all()),
            (quality, "_record", quality._record.__wrapped__),
            (transaction, "atomic", mock.Mock(side_effect=lambda *a, **o: nullcontext())),
            (standing, "of_member", newcomers.together(gate, standing.of_member)),
        ):
            stack.enter_context(mock.patch.object(target, name, instead))
        yield
