"""Requests: a line of the log for each, and metrics, neither of which says who it was."""

import json
import logging
import os
import re
import subprocess
import sys
from unittest.mock import Mock

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from annotation.models import Judgment
from config.logs import JsonLines
from generation import statements
from operations import requests
from tests.annotation import cast
from tests.services.installation import ROOT


@pytest.fixture
def lines(caplog, monkeypatch):
    """The lines of the log, as a public installation has them."""
    kept, handler = [], logging.Handler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    handler.emit = lambda record: kept.append(json.loads(JsonLines().format(record)))
    caplog.set_level(logging.INFO, requests.logger.name)
    return kept


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


# Three processes of a web server, two of which end before the last is asked for the metrics.
PROCESSES = """
import os, django
django.setup()
from operations import metrics
metrics.figures.gauges = list
def count(requests):
    for _ in range(requests):
        metrics.count("judge", "POST", 200, 0.02)
for requests in (3, 4):
    if os.fork() == 0:
        count(requests)
        os._exit(0)
    os.wait()
for requests in (5, 1):
    count(requests)
    print(metrics.exposition().decode(), "END")
"""


def read(text):
    found = re.findall(r"^(pawsmith_\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_metrics_are_for_those_with_the_token_of_the_installation(client, settings, tmp_path):
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN, settings.METRICS_DIR = "token", tmp_path
    cache.clear()
    for given in ("", "Bearer ", "Bearer wrong", "token"):
        reply = client.get("/metrics", headers={"authorization": given})
        assert (reply.status_code, reply.content) == (401, b"")
    project = cast.study()
    cast.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    cast.correct_next(cast.person(project))
    cast.judge_next(cast.person(project))
    with_token = {"authorization": "Bearer token"}
    found = read(client.get("/metrics", headers=with_token).text)
    assert found["pawsmith_judgments"] == found["pawsmith_corrections"] == 1
    assert found["pawsmith_open_slots"] == Judgment.objects.filter(label=None).count()
    assert found['pawsmith_runs{state="cancelled"}'] == 0
    assert found["pawsmith_database_bytes"] > 0
    with CaptureQueriesContext(connection) as asked:  # some seconds later the reply is the same
        client.get("/metrics", headers=with_token)
    assert len(asked) == 0


def test_requests_of_all_processes_are_summed_those_that_ended_included(tmp_path):
    environment = {"PAWSMITH_METRICS_TOKEN": "token", "PAWSMITH_DATA_DIR": str(tmp_path)}
    environment |= {"DATABASE_URL": "sqlite://:memory:", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    command = [sys.executable, "-c", PROCESSES]
    printed = subprocess.check_output(command, cwd=ROOT, env=os.environ | environment, text=True)
    series = 'pawsmith_request_seconds_count{method="POST",route="judge",status="2xx"}'
    assert [read(text)[series] for text in printed.split("END")[:2]] == [12, 13]
    [folder] = (tmp_path / "metrics").iterdir()
    assert len(list(folder.glob("histogram_*.db"))) == 2, "of those that ended, and of the last"
