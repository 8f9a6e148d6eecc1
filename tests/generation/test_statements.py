"""Statements are counted, and slow ones logged; the search for cycles in memory is put off."""

import gc
import logging

import pytest
from django.db import connection

from generation import collecting, statements
from generation.statements import watched_statements


@pytest.mark.django_db
def test_statements_are_counted_and_slow_ones_logged_without_their_parameters(caplog, monkeypatch):
    moments = iter([0.0, 0.25, 5.0, 6.5, 7.0, 8.0])
    monkeypatch.setattr(statements, "perf_counter", lambda: next(moments))
    with watched_statements() as counted, connection.cursor() as cursor:
        cursor.execute("SELECT CAST(%s AS varchar(20))", ["Bo"])
        assert caplog.records == []
        cursor.execute("SELECT CAST(%s AS varchar(20))", ["Ada Lovelace"])
        with pytest.raises(Exception, match="nowhere"):
            cursor.execute("SELECT * FROM nowhere")
    assert (counted.count, counted.seconds) == (3, 2.75)
    [record] = caplog.records
    assert (record.levelno, record.seconds) == (logging.WARNING, 1.5)
    assert record.sql.startswith("SELECT CAST")
    assert "Ada" not in str(record.__dict__)


def test_the_search_for_cycles_is_off_within_and_as_it_was_afterwards():
    with collecting.put_off(), collecting.put_off():
        assert not gc.isenabled()
    assert gc.isenabled()
