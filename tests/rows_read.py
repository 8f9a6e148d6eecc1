"""How many rows each statement of a block reads on Postgres, whatever the time it takes."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import psycopg
from django.db import connection

Execution: TypeAlias = tuple[str, int]  # a statement, and the rows that it read
EXPLAIN = "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) "
EXPLAINED = ("SELECT", "INSERT", "UPDATE", "DELETE", "WITH")
LEFT_OUT = (
    "Rows Removed by Filter",
    "Rows Removed by Join Filter",
    "Rows Removed by Index Recheck",
)


@contextmanager
def counted() -> Iterator[list[Execution]]:
    """Count the rows that each statement reads, each time that it is executed.

    It is executed twice: by EXPLAIN ANALYZE, which is undone, and as usual. What triggers and COPY
    read is not counted.
    """
    executions: list[Execution] = []

    def execute(run: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if not many and str(sql).lstrip().startswith(EXPLAINED):
            executions.append((str(sql), _rows_read(sql, params)))
        return run(sql, params, many, context)

    with connection.execute_wrapper(execute):
        yield executions


def in_all(executions: Iterable[Execution]) -> list[Execution]:
    """Return each statement with the rows of all its executions, the most first."""
    rows = Counter[str]()
    for sql, number in executions:
        rows[sql] += number
    return rows.most_common()


def _rows_read(sql: str, params: Any) -> int:
    driver: Any = connection.connection
    try:
        with driver.transaction(force_rollback=True), driver.cursor() as cursor:
            cursor.execute(EXPLAIN + str(sql), params)
            [[[explanation]]] = cursor.fetchall()
    except psycopg.Error:
        return 0  # the execution proper raises it again
    return _rows_of_node(explanation["Plan"])


def _rows_of_node(plan: dict[str, Any]) -> int:
    rows_per_loop = plan["Actual Rows"] + sum(plan.get(removed, 0) for removed in LEFT_OUT)
    return int(rows_per_loop * plan["Actual Loops"]) + sum(
        map(_rows_of_node, plan.get("Plans", ()))
    )
