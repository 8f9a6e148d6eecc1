"""Reads that belong together: all of their queries see the database as it was at one moment."""

from collections.abc import Callable
from typing import TypeVar

from django.db import OperationalError, connection, transaction

T = TypeVar("T")

# A row to lock has been changed since the transaction began: PostgreSQL's serialization_failure.
CHANGED_SINCE = "40001"


def as_of_one_moment(read: Callable[[], T]) -> T:
    """Return what `read` returns; its first query sets the moment. Refused in a transaction.

    `read` writes nothing. It may lock rows by its first query, and is called again if it had to
    wait for a transaction that changed one of them: what it sees would be older than that.
    """
    # `durable` refuses any transaction around it but that of a test, whose level is already set.
    is_of_a_test = connection.in_atomic_block
    while True:
        try:
            with transaction.atomic(durable=True):
                if connection.vendor == "postgresql" and not is_of_a_test:
                    _keep_to_one_moment()
                return read()
        except OperationalError as error:
            if getattr(error.__cause__, "sqlstate", "") != CHANGED_SINCE:
                raise


def _keep_to_one_moment() -> None:
    # By default, each query on Postgres sees what was committed before it. On SQLite, transactions
    # that may write follow one another.
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
