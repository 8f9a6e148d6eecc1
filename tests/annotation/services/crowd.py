"""A crowd of real processes that judge at once; run inside an Installation.

Prints one JSON object: what the database holds in the end, and the errors that people met.
"""

import json
import multiprocessing
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from multiprocessing.synchronize import Barrier
from unittest import mock

from django.db import connection
from django.db.models.functions import Coalesce

from accounts.models import User
from annotation.models import Judgment, Membership, SentencePair
from annotation.services import judgments, projects
from annotation.services.turns import postgres, sqlite
from tests.annotation import cast

CONSTRAINTS = (
    "judgment_once_by_annotator",
    "judgment_held_one_at_a_time",
    "judgment_once_by_person",
)


def judge(
    *, people: int, pairs: int, tabs: int = 1, accounts: int = 1, guarded: bool = True
) -> None:
    """Let so many people, each in so many tabs, judge all pairs of a new study at once.

    `accounts` are as many as each person has: so many in a row are one person's.
    """
    study = cast.study()
    cast.pairs(study, pairs)
    members = [projects.add_member(study, User.objects.create_user(f"p{n}")) for n in range(people)]
    for first in range(0, people, accounts):
        cast.same_person(*members[first : first + accounts])
    if not guarded:
        _drop_constraints()
    connection.close()
    fork = multiprocessing.get_context("fork")
    barrier, errors = fork.Barrier(people * tabs), fork.SimpleQueue()
    crowd = [
        fork.Process(target=_work, args=(member.pk, barrier, errors, guarded))
        for member in members
        for _ in range(tabs)
    ]
    for process in crowd:
        process.start()
    for process in crowd:
        process.join()
    print(json.dumps(_outcome(crowd, errors)))


def _work(membership: int, barrier: Barrier, errors: object, guarded: bool) -> None:
    barrier.wait()
    with nullcontext() if guarded else _unguarded():
        try:
            _judge_all(Membership.objects.select_related("project", "user").get(pk=membership))
        except Exception as error:  # whatever a person would have met is reported, not hidden
            errors.put(repr(error))


def _judge_all(membership: Membership) -> None:
    while slot := judgments.claim(membership):
        label = int(random.Random(slot.pair_id).random() < 0.5)
        judgments.submit(membership, pair_public_id=slot.pair.public_id, label=label, seconds=1.0)


def _drop_constraints() -> None:
    """SQLite rebuilds the table for it, which a trigger that speaks of the table would prevent."""
    with connection.schema_editor() as editor:
        if connection.vendor == "sqlite":
            editor.execute("DROP TRIGGER consensus_unfinished")
        for constraint in Judgment._meta.constraints:
            if constraint.name in CONSTRAINTS:
                editor.remove_constraint(Judgment, constraint)


@contextmanager
def _unguarded() -> Iterator[None]:
    """Turns without their guard: no locks on Postgres, no transaction on SQLite."""
    text = postgres.statement(breadth=False, hidden=False)
    without_locks = re.sub(r"FOR UPDATE( OF slot)?( SKIP LOCKED)?", "", text)
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(postgres, "statement", return_value=without_locks))
        stack.enter_context(mock.patch.object(sqlite, "transaction", mock.Mock(atomic=nullcontext)))
        yield


def _outcome(crowd: list, errors: object) -> dict[str, object]:
    met = []
    while not errors.empty():
        met.append(errors.get())
    full = SentencePair.objects.exclude(judgments__label=None)
    answers = Judgment.objects.exclude(label=None)
    person = Coalesce("annotator__main_account", "annotator")
    answered = list(answers.values_list("pair", person))
    return {
        "answered": len(answered),
        "answered_once": len(set(answered)),
        "per_pair": sorted(set(Counter(pair for pair, _ in answered).values())),
        "undecided": full.filter(consensus=None).count(),
        "errors": met,
        "crashed": sum(process.exitcode != 0 for process in crowd),
    }
