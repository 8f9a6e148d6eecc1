"""Steps of the work are tried again where another transaction was in their way.

Two tabs of a person may claim at the same time: constraints let one of them. And transactions may
each wait for a row that the other has written, such as places in the queue: Postgres stops one of
them. What was stopped has stored nothing.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from django.db import DatabaseError, IntegrityError, transaction
from psycopg.errors import DeadlockDetected

from annotation.models import Duty

P = ParamSpec("P")
T = TypeVar("T")
# Each further try means that others have just changed the same rows.
MOST = 20


def is_conflict(error: DatabaseError) -> bool:
    """Return whether another transaction was in the way, so that the next try may succeed."""
    return isinstance(error, IntegrityError) or isinstance(error.__cause__, DeadlockDetected)


def repeated(step: Callable[Concatenate[Duty, P], T]) -> Callable[Concatenate[Duty, P], T]:
    """Make a step a transaction that is tried again after conflicts; the last one is raised."""

    @wraps(step)
    def tried(duty: Duty, /, *arguments: P.args, **options: P.kwargs) -> T:
        for _ in range(MOST - 1):
            try:
                with transaction.atomic():
                    return step(duty, *arguments, **options)
            except DatabaseError as error:
                if not is_conflict(error):
                    raise
            duty.refresh_from_db()
        with transaction.atomic():
            return step(duty, *arguments, **options)

    return tried
