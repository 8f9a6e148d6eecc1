"""What lines of the log contain, and what they never quote."""

import json
import logging
import sys

from django.db import OperationalError
from structlog.contextvars import bound_contextvars

from config.logs import json_lines

SECRET = "Ada met Bo"


def record(message, *, name="annotation", **fields):
    made = logging.LogRecord(name, logging.INFO, __file__, 1, message, (), None)
    made.__dict__.update(fields)
    return made


def line_of(made):
    return json.loads(json_lines().format(made))


def record_of(error, *, cause=None):
    """The record of an error that was raised where a local variable held the secret."""
    try:
        secret = SECRET  # noqa: F841 values of local variables must not be quoted
        raise error from cause
    except Exception:
        made = record("It failed")
        made.exc_info = sys.exc_info()
        return made


def test_a_line_has_its_time_event_request_and_the_fields_on_the_list():
    with bound_contextvars(request="abc", run="17"):
        line = line_of(record("A batch was written", seconds=0.5, user=SECRET))
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "level": "info",
        "logger": "annotation",
        "event": "A batch was written",
        "request": "abc",
        "run": "17",
        "seconds": 0.5,
    }


def test_what_django_and_celery_quote_is_cut_off():
    for logger, message in [
        ("django.request", f"Internal Server Error: /join/{SECRET}/"),
        ("django.security.DisallowedHost", f"Invalid HTTP_HOST header: '{SECRET}'."),
        ("celery.app.trace", f"Task x[1] raised unexpected: ValueError('{SECRET}')\n..."),
    ]:
        line = json_lines().format(record(message, name=logger))
        assert message.partition(": ")[0] in line
        assert SECRET not in line


def test_an_error_is_located_and_named_with_its_cause_but_not_quoted():
    line = line_of(record_of(ValueError(f"invalid: {SECRET}"), cause=KeyError(SECRET)))
    assert 'test_logs.py", line' in line["exception"]
    assert line["exception"].index("builtins.KeyError") < line["exception"].index("ValueError\n")
    assert line["exception"].endswith("builtins.ValueError\n")
    assert SECRET not in json.dumps(line)


def test_errors_of_the_machine_are_quoted():
    for error in (OperationalError("no route"), FileNotFoundError("no route")):
        assert "no route" in line_of(record_of(error))["exception"]
