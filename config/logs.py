"""Log formatters: the fields of a line, and the data that must not be logged.

Lines hold no personal data: paths (an invitation link is a secret), texts and values quoted in
exceptions are left out. docs/operator/monitoring.md lists the fields.
"""

import json
import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import InterfaceError, OperationalError
from structlog.contextvars import get_contextvars

# Fields of `extra` that are logged; all others are dropped.
FIELDS = (
    *("method", "route", "status", "milliseconds", "statements", "sql_milliseconds"),
    *("sql", "seconds"),
)
# After a colon, these loggers quote paths, requested hosts or values of exceptions.
QUOTING = ("django.", "celery.app.trace")
# Messages of these are about machines and code. Others may quote what users wrote.
SPEAKING = (
    *(OSError, OperationalError, InterfaceError, MemoryError),
    *(ImportError, AttributeError, NameError, TypeError, NotImplementedError),
)

# Lines do not contain these, so do not collect them: that halves the cost of a line
# (https://docs.python.org/3/howto/logging.html#optimization).
logging._srcfile = None
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False

encode = json.JSONEncoder(ensure_ascii=False).encode


class ReadableLines(logging.Formatter):
    """`19:20:01 INFO request route=judge status=200`, followed by the full traceback.

    For local use. Each line has the fields of its request or task.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        line = f"{at:%H:%M:%S} {record.levelname} {event_of(record)}{fields}"
        if record.exc_info and record.exc_info[1]:
            return f"{line}\n{self.formatException(record.exc_info)}"
        return line


class JsonLines(logging.Formatter):
    """One line of JSON for each record, without data that exceptions quote."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "timestamp": datetime.fromtimestamp(record.created, UTC).isoformat(),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": event_of(record),
            **fields_of(record),
        }
        if record.exc_info and record.exc_info[1]:
            line["exception"] = "".join(where(record.exc_info[1]))
        return encode(line)


def event_of(record: logging.LogRecord) -> str:
    """Return the message without what Django and Celery quote from requests and errors."""
    message = record.getMessage()
    return message.partition(": ")[0] if record.name.startswith(QUOTING) else message


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """Return the context (request, task, run, batch or release), then the fields of the record."""
    given = record.__dict__
    return {**get_contextvars(), **{name: given[name] for name in FIELDS if name in given}}


def where(error: BaseException) -> Iterator[str]:
    """Yield the tracebacks and types of an error and its causes, the first cause first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from where(cause)
        yield "which led to:\n"
    yield from traceback.format_tb(error.__traceback__)
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    yield f"{kind}: {error}\n" if isinstance(error, SPEAKING) else f"{kind}\n"
