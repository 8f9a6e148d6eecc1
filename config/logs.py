"""Log lines of a public installation: their fields, and the data that must not be logged.

Lines hold no personal data: paths (an invitation link is a secret), texts and values quoted in
exceptions are left out. docs/operator/monitoring.md lists the fields.
"""

import logging
import traceback
from collections.abc import Iterator
from typing import Any

from django.db import InterfaceError, OperationalError
from structlog.contextvars import merge_contextvars
from structlog.processors import ExceptionRenderer, JSONRenderer, TimeStamper
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict

# Fields of `extra` that are logged; all others are dropped.
FIELDS = ("method", "route", "status", "milliseconds", "seconds")
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


def json_lines() -> logging.Formatter:
    """Return a formatter of one line of JSON for each record, without data that errors quote.

    Lines have their context, too: request, task, run, batch or release.
    """
    exceptions = ExceptionRenderer(lambda info: "".join(tracebacks(info[1])) if info[1] else "")
    return ProcessorFormatter(
        processors=[
            *(add_log_level, ExtraAdder(allow=FIELDS), merge_contextvars, _cut_quotes),
            *(add_logger_name, TimeStamper(fmt="iso", utc=True, key="timestamp"), exceptions),
            *(ProcessorFormatter.remove_processors_meta, JSONRenderer(ensure_ascii=False)),
        ]
    )


def tracebacks(error: BaseException) -> Iterator[str]:
    """Yield the tracebacks and types of an error and its causes, the first cause first."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from tracebacks(cause)
        yield "which led to:\n"
    yield from traceback.format_tb(error.__traceback__)
    kind = f"{type(error).__module__}.{type(error).__qualname__}"
    yield f"{kind}: {error}\n" if isinstance(error, SPEAKING) else f"{kind}\n"


def _cut_quotes(_logger: Any, _level: str, line: EventDict) -> EventDict:
    """Cut off what Django and Celery quote from requests and errors."""
    if line["_record"].name.startswith(QUOTING):
        line["event"] = line["event"].partition(": ")[0]
    return line
