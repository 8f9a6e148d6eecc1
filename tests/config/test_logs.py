"""Lines of the log: what they hold, and what they never say."""

import json
import logging
import sys
from typing import Any

import pytest
from django.db import OperationalError
from structlog.contextvars import bound_contextvars

from config.logs import JsonLines, ReadableLines

SECRET = "Ada met Bo"


def record(message: str, *arguments: object, name: str = "annotation", **given: Any) -> Any:
    made = logging.LogRecord(name, logging.INFO, __file__, 1, message, arguments, None)
    made.__dict__.update(given)
    return made


def told(made: logging.LogRecord) -> dict[str, Any]:
    """The line of JSON, read."""
    line: dict[str, Any] = json.loads(JsonLines().format(made))
    return line


def raised(error: Exception) -> Any:
    """A record of an error, which had the secret in a local variable as well."""
    try:
        secret = SECRET  # noqa: F841 a local value, which is what must not be told
        raise error
    except Exception:
        made = record("It failed")
        made.exc_info = sys.exc_info()
        return made


def test_a_line_says_when_what_happened_and_to_which_request() -> None:
    with bound_contextvars(request="abc", run="17"):
        line = told(record("A batch was written", seconds=0.5))

    assert line.pop("timestamp").endswith("+00:00")
    assert line == {
        "level": "info",
        "logger": "annotation",
        "event": "A batch was written",
        "request": "abc",
        "run": "17",
        "seconds": 0.5,
    }


def test_what_is_not_on_the_list_of_fields_stays_out() -> None:
    assert "user" not in told(record("Anything", user=SECRET))


@pytest.mark.parametrize("lines", [JsonLines(), ReadableLines()])
@pytest.mark.parametrize(
    ("logger", "message"),
    [
        ("django.request", "Internal Server Error: /join/Ada met Bo/"),
        ("django.security.DisallowedHost", "Invalid HTTP_HOST header: 'Ada met Bo'."),
        ("celery.app.trace", "Task x[1] raised unexpected: ValueError('Ada met Bo')\n..."),
    ],
)
def test_what_django_and_celery_quote_is_cut_off(
    lines: logging.Formatter, logger: str, message: str
) -> None:
    line = lines.format(record(message, name=logger))

    assert message.partition(": ")[0] in line
    assert SECRET not in line


def test_of_an_error_the_line_says_where_and_of_which_kind_but_quotes_nothing() -> None:
    line = told(raised(ValueError(f"invalid: {SECRET}")))

    assert 'test_logs.py", line' in line["exception"]
    assert line["exception"].endswith("builtins.ValueError\n")
    assert SECRET not in json.dumps(line)


def test_causes_come_first_and_quote_nothing_either() -> None:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as cause:
            raise ValueError(SECRET) from cause
    except ValueError as error:
        line = told(raised(error))

    assert SECRET not in json.dumps(line)
    assert line["exception"].index("builtins.KeyError") < line["exception"].index("ValueError\n")


@pytest.mark.parametrize("error", [OperationalError("no route"), FileNotFoundError("no route")])
def test_errors_of_machines_are_told_in_full(error: Exception) -> None:
    assert "no route" in told(raised(error))["exception"]


def test_at_ones_own_machine_lines_are_readable_and_errors_whole() -> None:
    line = ReadableLines().format(record("request", status=200, route="judge"))
    error = ReadableLines().format(raised(ValueError(SECRET)))

    assert line.split(" ", 1)[1] == "INFO request route=judge status=200"
    assert f"ValueError: {SECRET}" in error
