"""The status page in words with what to do, and manage.py diagnose: what is misconfigured."""

from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Release
from generation import methods
from generation.models import GenerationRun, Worker
from generation.services import signs_of_life
from operations import broker, condition, diagnosis, machine
from operations.findings import Level
from operations.machine import Room
from tests.annotation import cast
from tests.generation import fake

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(monkeypatch):
    monkeypatch.setitem(methods.METHODS, "word_swap", fake.METHOD)
    return fake.run(fake.corpus(5, "Wikipedia"))


def show_life(*queues):
    signs_of_life.show("one:1", "celery", queues or ["beat", "cpu"])


def texts():
    return [finding.text for finding in condition.amiss()]


def test_the_page_is_for_staff_and_shows_what_workers_are_to_do(client, run, monkeypatch):
    def page(*said):
        reply = client.get(reverse("status"))
        assert [each for each in said if each not in reply.text] == []
        return reply

    assert page().headers["Location"].endswith("?next=/status/")
    client.force_login(cast.person(cast.study(), role="manager").user)
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
    assert (texts(), condition.amiss()[0].level) == ([missing], Level.ERROR)
    show_life()
    assert texts() == []
    Worker.objects.update(seen_at=timezone.now() - timedelta(minutes=2))
    assert texts() == [missing]
    assert [worker.name for worker in condition.now().silent] == ["one:1"]
    GenerationRun.objects.update(queue="gpu")
    show_life("cpu")
    assert texts() == ["Work waits for a worker with a GPU, and none shows signs of life."]
    show_life("gpu")
    GenerationRun.objects.update(created_at=timezone.now() - timedelta(minutes=11))
    assert texts() == ["Nothing has come of Wikipedia for 11\N{NO-BREAK SPACE}minutes."]
    run.batches.update(state="parked")
    GenerationRun.objects.update(state="done", finished_at=timezone.now())
    assert texts() == ["1 batch has failed three times and is set aside."]


def test_a_disk_that_fills_up_is_reported_and_errors_come_before_warnings(monkeypatch):
    show_life()
    for free, level in ((1, Level.ERROR), (9, Level.WARNING)):
        monkeypatch.setattr(machine, "disk", lambda free=free: Room(total=100, free=free))
        assert [(each.subject, each.level) for each in condition.amiss()] == [("Disk", level)]
    Worker.objects.all().delete()
    settings = {"seed": 0, "settings": {}, "state": "queued"}
    Release.objects.create(project=cast.study(), version="1", **settings)
    assert [finding.level for finding in condition.amiss()] == [Level.ERROR, Level.WARNING]


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
    monkeypatch.setattr(broker, "answers", lambda _: False)
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
    off, asked = {"postgresql": "off", "sqlite": "1"}[connection.vendor], diagnosis._one
    monkeypatch.setattr(diagnosis.clock, "now", lambda: hour_ago)
    monkeypatch.setattr(machine, "memory", lambda: Room(total=2**30, free=2**20))
    monkeypatch.setattr(diagnosis, "_one", lambda what: off if "sync" in what else asked(what))
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
