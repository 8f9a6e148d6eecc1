"""Counts and times database statements, and logs slow ones."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from django.db import connection

SLOW_SECONDS = 1.0
LONGEST_SQL = 1000

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Statements:
    """A Django execute wrapper: the number of statements and the seconds they took."""

    count: int = 0
    seconds: float = 0.0

    def __call__(
        self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any
    ) -> Any:
        began = perf_counter()
        try:
            return execute(sql, params, many, context)
        finally:
            seconds = perf_counter() - began
            self.count += 1
            self.seconds += seconds
            if seconds > SLOW_SECONDS:
                fields = {"sql": sql[:LONGEST_SQL], "seconds": round(seconds, 3)}
                logger.warning("A statement was slow", extra=fields)


@contextmanager
def watched_statements() -> Iterator[Statements]:
    """Measure all statements of this thread while the block runs."""
    counted = Statements()
    with connection.execute_wrapper(counted):
        yield counted
