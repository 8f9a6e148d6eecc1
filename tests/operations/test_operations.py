"""Operations: lines of the log and metrics, which say nothing of people, and what is wrong."""

import json
import logging
import re
from datetime import timedelta
from unittest.mock import Mock

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from config.logs import json_lines
from generation import methods
from generation.models import GenerationRun, Worker
from generation.services import worker
from operations import backups, middleware, status
from operations.status import Level
from releases.models import Release
from support import fake
from tests.annotation import make

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(caplog, monkeypatch):
    """The lines of the log, as a public installation has them."""
    kept, handler = [], logging.Handler()
    monkeypatch.setattr(logging.getLogger(), "handlers", [handler])
    handler.emit = lambda record: kept.append(json.loads(json_lines().format(record)))
    caplog.set_level(logging.INFO, middleware.logger.name)
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


def test_an_error_has_its_traceback_and_the_id_of_its_request(client, lines, monkeypatch):
    broken = Mock(side_effect=ValueError("Ada met Bo"))
    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.people.views.home.render", broken)
    client.get(reverse("home"))
    error, line = lines[-2:]
    assert ("home.py" in error["exception"], "Ada met" in error["exception"]) == (True, False)
    assert (line["status"], line["level"], line["request"]) == (500, "error", error["request"])


WITH_TOKEN = {"authorization": "Bearer token"}


def read(text):
    found = re.findall(r"^(pawsmith_\S+) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in found}


def test_metrics_are_for_those_with_the_token_of_the_installation(client, settings):
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 404
    settings.METRICS_TOKEN = "token"
    for given in ("", "Bearer ", "Bearer wrong", "token"):
        reply = client.get("/metrics", headers={"authorization": given})
        assert (reply.status_code, reply.content) == (401, b"")
    assert "pawsmith_disk_bytes" in client.get("/metrics", headers=WITH_TOKEN).text


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    return fake.run(fake.corpus(5, "Wikipedia"))


def show_life(*queues):
    worker.store_heartbeat("one:1", "celery", queues or ["beat", "cpu"])


def test_metrics_count_what_waits_who_works_and_what_failed(client, settings, run, tmp_path):
    def figures():
        return read(client.get("/metrics", headers=WITH_TOKEN).text)

    settings.METRICS_TOKEN, settings.BACKUP_DIR = "token", str(tmp_path)
    hour_ago = timezone.now() - timedelta(hours=1)
    GenerationRun.objects.update(created_at=hour_ago)
    found = figures()
    assert found['pawsmith_waiting{kind="run"}'] == 1
    assert found['pawsmith_waiting_seconds{kind="run"}'] == pytest.approx(3600, abs=60)
    assert found['pawsmith_waiting{kind="draft"}'] == found['pawsmith_workers{queue="cpu"}'] == 0
    assert "pawsmith_backup_age_seconds" not in found
    show_life("cpu")
    run.batches.update(state="parked")
    (tmp_path / hour_ago.strftime(backups.TIME)).mkdir()
    found = figures()
    assert found['pawsmith_workers{queue="cpu"}'] == 1
    assert found["pawsmith_parked_batches"] == run.batches.count()
    assert found["pawsmith_backup_age_seconds"] == pytest.approx(3600, abs=60)
    assert 0 < found["pawsmith_disk_free_bytes"] <= found["pawsmith_disk_bytes"]


def texts():
    return [finding.text for finding in status.read_condition().findings]


def test_the_page_is_for_staff_and_shows_what_workers_are_to_do(client, run, monkeypatch):
    def page(*said):
        reply = client.get(reverse("status"))
        assert [each for each in said if each not in reply.text] == []
        return reply

    assert page().headers["Location"].endswith("?next=/installation/status/")
    client.force_login(make.person(make.study(), role="manager").user)
    assert client.get(reverse("status"), follow=True).status_code == 403
    client.force_login(User.objects.create(username="ada", is_staff=True))
    page("Wikipedia", "no, waiting")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    show_life()
    page("No problems.", "No queued work: every run, preview and release", "one:1")
    monkeypatch.setattr("accounts.admin_site._is_proved", lambda _: False)
    assert page().status_code == 302


def test_work_needs_a_worker_that_shows_life_and_reads_its_queue_and_runs_progress(run):
    missing = "Work is waiting, but no worker is running."
    assert (texts(), status.read_condition().findings[0].level) == ([missing], Level.ERROR)
    show_life()
    assert texts() == []
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert texts() == [missing]
    condition = status.read_condition()
    assert ([worker.name for worker in condition.workers], condition.present) == (["one:1"], [])
    GenerationRun.objects.update(queue="gpu")
    show_life("cpu")
    assert texts() == ["Work is waiting for a worker with a GPU, but none is running."]
    show_life("gpu")
    GenerationRun.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert texts() == ["Wikipedia has made no progress for 11\N{NO-BREAK SPACE}minutes."]
    run.batches.update(state="parked")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    assert texts() == ["1 batch has failed three times and is parked."]


def test_a_disk_that_fills_up_is_reported_and_errors_come_before_warnings(monkeypatch):
    show_life()
    for free, level in ((1, Level.ERROR), (9, Level.WARNING)):
        monkeypatch.setattr(status, "disk", lambda free=free: Mock(total=100, free=free))
        assert [(each.subject.name, each.level) for each in status.read_condition().findings] == [
            ("Disk", level)
        ]
    Worker.objects.all().delete()
    settings = {"seed": 0, "settings": {}, "state": "queued"}
    Release.objects.create(project=make.study(), version="1", **settings)
    assert [finding.level for finding in status.read_condition().findings] == [
        Level.ERROR,
        Level.WARNING,
    ]
