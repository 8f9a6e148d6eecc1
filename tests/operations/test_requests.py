"""A line for each request: enough to find out what happened, and nothing about who it was."""

import json
import logging
from unittest.mock import Mock

import pytest
from django.db import connection
from django.urls import reverse

from accounts.models import User
from generation import statements

pytestmark = pytest.mark.django_db


def test_a_request_is_one_line_by_the_name_of_its_route_and_never_by_its_path(client, lines):
    reply = client.get(reverse("account_login"), {"next": "/secret/"})
    client.get("/join-me/ada/")
    found, missing = lines
    assert (found["route"], found["method"], found["status"]) == ("account_login", "GET", 200)
    assert found["request"] == reply.headers["X-Request-ID"]
    assert found["milliseconds"] > 0
    assert (missing["route"], missing["status"]) == ("none", 404)
    assert not {"secret", "join-me"} & set(json.dumps(lines).split("/"))


def test_an_id_is_taken_only_from_a_proxy_of_the_installation_and_if_it_is_one(client, settings):
    forged = 'forged"\n{"event": "none"}'
    for proxies, given in [(1, "01234567"), (0, "01234567"), (1, "short"), (1, forged)]:
        settings.PROXIES = proxies
        reply = client.get(reverse("account_login"), headers={"x-request-id": given})
        taken = proxies == 1 and given == "01234567"
        assert (reply.headers["X-Request-ID"] == given) is taken, given


def test_an_error_has_its_traceback_and_the_id_of_its_request(client, lines, monkeypatch):
    broken = Mock(side_effect=ValueError("Ada met Bo"))
    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.views.entrance.home.render", broken)
    client.get(reverse("home"))
    error, line = lines[-2:]
    assert ("home.py" in error["exception"], "Ada met" in error["exception"]) == (True, False)
    assert (line["status"], line["level"], line["request"]) == (500, "error", error["request"])
    assert line["statements"] >= 2


def test_statements_are_counted_and_slow_ones_logged_without_their_parameters(caplog, monkeypatch):
    moments = iter([0.0, 0.25, 5.0, 6.5, 7.0, 8.0])
    monkeypatch.setattr(statements, "perf_counter", lambda: next(moments))
    with statements.watched_statements() as counted, connection.cursor() as cursor:
        for name in ("Bo", "Ada Lovelace"):
            cursor.execute("SELECT CAST(%s AS varchar(20))", [name])
        with pytest.raises(Exception, match="nowhere"):
            cursor.execute("SELECT * FROM nowhere")
    assert (counted.count, counted.seconds) == (3, 2.75)
    [record] = caplog.records
    assert (record.levelno, record.seconds) == (logging.WARNING, 1.5)
    assert record.sql.startswith("SELECT CAST")
    assert "Ada" not in str(record.__dict__)
