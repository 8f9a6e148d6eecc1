"""manage.py diagnose: what is misconfigured, and what to do about it."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import override_settings

from generation.models import Worker
from generation.services import signs_of_life
from operations import broker, diagnosis, machine
from operations.machine import Room

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def well(settings, tmp_path):
    """An installation in which all is well."""
    settings.STATIC_ROOT = tmp_path
    tmp_path.joinpath("staticfiles.json").touch()
    signs_of_life.show("one:1", "celery", ["cpu"])


def diagnosed():
    """What the command prints, and whether it went well."""
    printed = StringIO()
    try:
        call_command("diagnose", stdout=printed)
    except CommandError:
        return printed.getvalue(), False
    return printed.getvalue(), True


def test_of_a_good_installation_each_line_is_ok():
    printed, went_well = diagnosed()
    *lines, last = printed.splitlines()
    assert (went_well, last) == (True, "No errors.")
    assert {line.split()[0] for line in lines} == {"OK"}
    subjects = {line.split()[1].rstrip(":") for line in lines}
    assert {"Address", "Database", "Durability", "Migrations", "Workers", "Pages"} <= subjects


def test_each_fault_is_found_with_its_level(monkeypatch, tmp_path, subtests):
    hour_ago = diagnosis.timezone.now() - diagnosis.timedelta(hours=1)
    off, asked = {"postgresql": "off", "sqlite": "1"}[connection.vendor], diagnosis._one
    monkeypatch.setattr(broker, "answers", lambda _: False)
    tmp_path.chmod(0o777)
    for settings, found in [
        ({"DATA_DIR": Path("/nowhere")}, "ERROR    Data folder: There is no /nowhere.\n"),
        ({"DATA_DIR": tmp_path}, "WARNING  Data folder: Everybody can write it."),
        ({"STATIC_ROOT": "/nowhere"}, "ERROR    Static files: "),
        ({"CELERY_BROKER_URL": "redis://127.0.0.1:1/0"}, "ERROR    Broker: "),
    ]:
        with subtests.test(found=found), override_settings(**settings):
            printed, went_well = diagnosed()
            assert found in printed
            assert went_well is found.startswith("WARNING")
    monkeypatch.setattr(diagnosis.clock, "now", lambda: hour_ago)
    monkeypatch.setattr(machine, "memory", lambda: Room(total=2**30, free=2**20))
    monkeypatch.setattr(diagnosis, "_one", lambda what: off if "sync" in what else asked(what))
    printed, went_well = diagnosed()
    for found in ("WARNING  Clocks: ", "WARNING  Memory: ", "ERROR    Durability: "):
        assert found in printed
    assert not went_well


def test_a_database_that_does_not_answer_ends_what_can_be_asked_of_it(monkeypatch):
    def away():
        raise OperationalError("connection refused")

    monkeypatch.setattr(machine, "database_version", away)
    printed, went_well = diagnosed()
    assert "ERROR    Database: It does not answer: connection refused" in printed
    assert ("Migrations: " in printed, went_well) == (False, False)


def test_missing_workers_migrations_and_headers_are_told(settings):
    Worker.objects.all().delete()
    assert "WARNING  Workers: " in diagnosed()[0]
    settings.ADDRESS = type(settings.ADDRESS).parse("https://pawsmith.example")
    settings.ALLOWED_HOSTS = ["pawsmith.example"]
    printed, _ = diagnosed()
    assert "Settings: security.W" in printed
    assert "Pages: They lack Strict-Transport-Security" in printed
    [newest] = MigrationLoader(connection).graph.leaf_nodes("annotation")
    MigrationRecorder(connection).record_unapplied(*newest)
    printed, went_well = diagnosed()
    assert ("Migrations: 1 have not been applied" in printed, went_well) == (True, False)
