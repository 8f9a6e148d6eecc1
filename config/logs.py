"""How a log record becomes a line: which fields it has, and what it never says.

Lines hold no personal data: paths (a link to come in is a secret), texts and what an exception
quotes stay out of them. docs/operations.md lists the fields.
"""

import json
import logging
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from django.db import InterfaceError, OperationalError
from structlog.contextvars import get_contextvars

# What a record may bring along in `extra`. Everything else that is attached to it stays there.
FIELDS = (
    *("method", "route", "status", "milliseconds", "statements", "sql_milliseconds"),
    *("sql", "seconds"),
)
# What these loggers say after a colon are paths, hosts that were asked for, values of exceptions.
QUOTING = ("django.", "celery.app.trace")
# Messages of these are about machines and code. Others may quote what somebody wrote.
SPEAKING = (
    *(OSError, OperationalError, InterfaceError, MemoryError),
    *(ImportError, AttributeError, NameError, TypeError, NotImplementedError),
)

# No line says them, so no record has to find them out: half of what a line costs
# (https://docs.python.org/3/howto/logging.html#optimization).
logging._srcfile = None
logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False

encode = json.JSONEncoder(ensure_ascii=False).encode


class ReadableLines(logging.Formatter):
    """`19:20:01 INFO request route=judge status=200`, and a whole traceback below it.

    For whoever is at their own machine. Requests and tasks add what they are, for each line.
    """

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        line = f"{at:%H:%M:%S} {record.levelname} {event_of(record)}{fields}"
        if record.exc_info and record.exc_info[1]:
            return f"{line}\n{self.formatException(record.exc_info)}"
        return line


class JsonLines(logging.Formatter):
    """A line of JSON for each record, without anything that an exception quotes."""

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
    """What happened, without what Django and Celery quote of a request or of an error."""
    message = record.getMessage()
    return message.partition(": ")[0] if record.name.startswith(QUOTING) else message


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What the record was given, after what names its request, task, run, batch or release."""
    given = record.__dict__
    return {**get_contextvars(), **{name: given[name] for name in FIELDS if name in given}}


def where(error: BaseException) -> Iterator[str]:
    """Where an error happened and of which kind it is, from the first cause on."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from where(cause)
        yield "which led to:\n"
    yield from traceback.format_tb(error.__traceback__)
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    yield f"{kind}: {error}\n" if isinstance(error, SPEAKING) else f"{kind}\n"
