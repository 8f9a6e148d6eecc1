"""Operations: lines of the log and metrics, which say nothing of people, and what is wrong."""

import json
import logging
import os
import re
import subprocess
import sys
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Judgment
from benchmarks.generation import fake
from benchmarks.services.installation import ROOT
from common import statements
from config.logs import json_lines
from generation import methods
from generation.models import GenerationRun, Worker
from generation.services import worker
from operations import diagnosis, machine, requests, status
from operations.machine import Capacity
from operations.status import Level
from releases.models import Release
from tests.annotation import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(caplog, monkeypatch):
    """The lines of the log, as a public installation has them."""
    kept, handler = [], logging.Handler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    handler.emit = lambda record: kept.append(json.loads(json_lines().format(record)))
    caplog.set_level(logging.INFO, requests.logger.name)
    return kept


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
    asked = [(1, "01234567", True), (0, "01234567", False), (1, "short", False), (1, forged, False)]
    for proxies, given, is_taken in asked:
        settings.PROXIES = proxies
        reply = client.get(reverse("account_login"), headers={"x-request-id": given})
        assert (reply.headers["X-Request-ID"] == given) is is_taken, given


def test_an_error_has_its_traceback_and_the_id_of_its_request(client, lines, monkeypatch):
    broken = Mock(side_effect=ValueError("Ada met Bo"))
    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.people.views.home.render", broken)
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
metrics._figures = list
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
    project = make.study()
    make.candidates(project, [("Bo saw Ada there.", "Ada saw Bo there.")])
    make.correct_next(make.person(project))
    make.judge_next(make.person(project))
    with_token = {"authorization": "Bearer token"}
    found = read(client.get("/metrics", headers=with_token).text)
    assert found["pawsmith_judgments"] == found["pawsmith_corrections"] == 1
    assert found["pawsmith_open_slots"] == Judgment.objects.filter(submitted_at=None).count()
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


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    return fake.run(fake.corpus(5, "Wikipedia"))


def show_life(*queues):
    worker.show("one:1", "celery", queues or ["beat", "cpu"])


def texts():
    return [finding.text for finding in status.now().findings]


def test_the_page_is_for_staff_and_shows_what_workers_are_to_do(client, run, monkeypatch):
    def page(*said):
        reply = client.get(reverse("status"))
        assert [each for each in said if each not in reply.text] == []
        return reply

    assert page().headers["Location"].endswith("?next=/status/")
    client.force_login(make.person(make.study(), role="manager").user)
    assert page().status_code == 404
    client.force_login(User.objects.create(username="ada", is_staff=True))
    page("Wikipedia", "no, it waits")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    show_life()
    page("Nothing: all is well.", "Nothing: every run, preview and release", "one:1")
    monkeypatch.setattr("accounts.admin_site._is_proved", lambda _: False)
    assert page().status_code == 302


def test_work_needs_a_worker_that_shows_life_and_reads_its_queue_and_runs_progress(run):
    missing = "Work waits, and no worker shows signs of life."
    assert (texts(), status.now().findings[0].level) == ([missing], Level.ERROR)
    show_life()
    assert texts() == []
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert texts() == [missing]
    assert [worker.name for worker in status.now().silent] == ["one:1"]
    GenerationRun.objects.update(queue="gpu")
    show_life("cpu")
    assert texts() == ["Work waits for a worker with a GPU, and none shows signs of life."]
    show_life("gpu")
    GenerationRun.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert texts() == ["Wikipedia has made no progress for 11\N{NO-BREAK SPACE}minutes."]
    run.batches.update(state="parked")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    assert texts() == ["1 batch has failed three times and is set aside."]


def test_a_disk_that_fills_up_is_reported_and_errors_come_before_warnings(monkeypatch):
    show_life()
    for free, level in ((1, Level.ERROR), (9, Level.WARNING)):
        monkeypatch.setattr(machine, "disk", lambda free=free: Capacity(total=100, free=free))
        assert [(each.subject, each.level) for each in status.now().findings] == [("Disk", level)]
    Worker.objects.all().delete()
    settings = {"seed": 0, "settings": {}, "state": "queued"}
    Release.objects.create(project=make.study(), version="1", **settings)
    assert [finding.level for finding in status.now().findings] == [Level.ERROR, Level.WARNING]


@pytest.fixture
def diagnosed(settings, tmp_path, capsys):
    settings.STATIC_ROOT = tmp_path
    tmp_path.joinpath("staticfiles.json").touch()
    show_life("cpu")

    def diagnosed():
        went_well = False
        with suppress(CommandError):
            call_command("diagnose")
            went_well = True
        return capsys.readouterr().out, went_well

    return diagnosed


def test_each_line_is_ok_but_for_what_is_misconfigured(diagnosed, monkeypatch, tmp_path):
    printed, went_well = diagnosed()
    *lines, last = printed.splitlines()
    assert (went_well, last, {line.split()[0] for line in lines}) == (True, "No errors.", {"OK"})
    subjects = {line.split()[1].rstrip(":") for line in lines}
    assert {"Address", "Database", "Durability", "Migrations", "Workers", "Pages"} <= subjects
    monkeypatch.setattr(machine, "broker_answers", lambda: False)
    tmp_path.chmod(0o777)
    for settings, found in [
        ({"DATA_DIR": Path("/nowhere")}, "ERROR    Data folder: There is no /nowhere.\n"),
        ({"DATA_DIR": tmp_path}, "WARNING  Data folder: Everybody can write it."),
        ({"STATIC_ROOT": "/nowhere"}, "ERROR    Static files: "),
        ({"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}, "ERROR    Broker: "),
    ]:
        with override_settings(**settings):
            printed, went_well = diagnosed()
        assert (found in printed, went_well) == (True, found.startswith("WARNING")), found


def test_faults_of_the_machine_and_of_its_database_are_found(diagnosed, monkeypatch):
    hour_ago = timezone.now() - timedelta(hours=1)
    off, asked = {"postgresql": "off", "sqlite": "1"}[connection.vendor], machine.ask
    monkeypatch.setattr(diagnosis.clock, "now", lambda: hour_ago)
    monkeypatch.setattr(machine, "memory", lambda: Capacity(total=2**30, free=2**20))
    monkeypatch.setattr(machine, "ask", lambda what: off if "sync" in what else asked(what))
    Worker.objects.all().delete()
    printed, went_well = diagnosed()
    for found in ("WARNING  Clocks", "WARNING  Memory", "WARNING  Workers", "ERROR    Durability"):
        assert f"{found}: " in printed
    assert not went_well
    away = Mock(side_effect=OperationalError("connection refused"))
    monkeypatch.setattr(machine, "database_version", away)
    printed, went_well = diagnosed()
    assert "ERROR    Database: It does not answer: connection refused" in printed
    assert ("Migrations: " in printed, went_well) == (False, False)


def test_missing_migrations_and_headers_are_found(diagnosed, settings):
    settings.ADDRESS = type(settings.ADDRESS).parse("https://pawsmith.example")
    settings.ALLOWED_HOSTS = ["pawsmith.example"]
    printed, _ = diagnosed()
    assert "Settings: security.W" in printed
    assert "Pages: They lack Strict-Transport-Security" in printed
    [newest] = MigrationLoader(connection).graph.leaf_nodes("annotation")
    MigrationRecorder(connection).record_unapplied(*newest)
    printed, went_well = diagnosed()
    assert ("Migrations: 1 have not been applied" in printed, went_well) == (True, False)
