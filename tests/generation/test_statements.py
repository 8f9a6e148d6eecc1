"""Statements are counted, and slow ones are named without what they were given."""

import logging

import pytest
from django.db import connection

from generation import statements
from generation.statements import Statements

pytestmark = pytest.mark.django_db


def ask(counted: Statements, given: str = "Ada") -> None:
    with connection.execute_wrapper(counted), connection.cursor() as cursor:
        cursor.execute("SELECT CAST(%s AS varchar(20))", [given])


def test_each_statement_is_counted_and_timed() -> None:
    counted = Statements()

    ask(counted)
    ask(counted)

    assert counted.count == 2
    assert counted.seconds > 0


def test_a_fast_statement_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    ask(Statements())

    assert caplog.records == []


def test_a_slow_statement_is_told_without_its_parameters(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(statements, "SLOW_SECONDS", 0.0)

    ask(Statements(), "Ada Lovelace")

    [record] = caplog.records
    assert record.levelno == logging.WARNING
    assert record.__dict__["sql"].startswith("SELECT CAST")
    assert "Ada" not in str(record.__dict__)


def test_a_statement_that_fails_is_counted_too() -> None:
    counted = Statements()

    with pytest.raises(Exception, match="nowhere"), connection.execute_wrapper(counted):
        connection.cursor().execute("SELECT * FROM nowhere")

    assert counted.count == 1
