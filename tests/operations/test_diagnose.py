"""manage.py diagnose: what is misconfigured, and what to do about it."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from generation.services import signs_of_life
from operations import diagnosis, machine
from operations.machine import Room

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def well(settings: Any, tmp_path: Path) -> None:
    """An installation of which nothing is amiss."""
    settings.STATIC_ROOT = tmp_path
    tmp_path.joinpath("staticfiles.json").touch()
    signs_of_life.show("one:1", "celery", ["cpu"])


def diagnosed() -> tuple[list[str], bool]:
    """What the command prints, line by line, and whether it went well."""
    told = StringIO()
    try:
        call_command("diagnose", stdout=told)
    except CommandError:
        return told.getvalue().splitlines(), False
    return told.getvalue().splitlines(), True


def of(subject: str, lines: list[str]) -> list[str]:
    return [line for line in lines if f" {subject}: " in line]


def test_of_a_good_installation_each_line_is_ok() -> None:
    lines, went_well = diagnosed()

    assert went_well
    assert lines.pop() == "No errors."
    assert all(line.startswith("OK ") for line in lines), lines
    subjects = {line.split()[1].rstrip(":") for line in lines}
    assert {"Address", "Database", "Durability", "Migrations", "Workers", "Pages"} <= subjects


def test_a_missing_folder_is_an_error_with_what_to_do(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = Path("/nowhere")

    with pytest.raises(CommandError, match="error"):
        call_command("diagnose", stdout=(told := StringIO()))

    assert "ERROR    Data folder: There is no /nowhere.\n         Make it" in told.getvalue()


def test_a_folder_that_everybody_can_write_is_a_warning(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path
    tmp_path.chmod(0o777)

    lines, went_well = diagnosed()

    assert went_well
    assert of("Data folder", lines)[-1].startswith("WARNING")


def test_static_files_that_are_not_collected_are_an_error(settings: Any) -> None:
    settings.STATIC_ROOT = "/nowhere"

    lines, went_well = diagnosed()

    assert not went_well
    assert of("Static files", lines)[0].startswith("ERROR")


def test_a_broker_that_does_not_answer_is_an_error(settings: Any) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"

    assert of("Broker", diagnosed()[0])[0].startswith("ERROR")


def test_a_database_that_does_not_answer_ends_what_can_be_asked_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def away() -> str:
        raise OperationalError("connection refused")

    monkeypatch.setattr(machine, "database_version", away)

    lines, went_well = diagnosed()

    assert not went_well
    assert of("Database", lines)[0].endswith("It does not answer: connection refused")
    assert not of("Migrations", lines)


def test_a_missing_migration_is_an_error() -> None:
    [newest] = MigrationLoader(connection).graph.leaf_nodes("annotation")
    MigrationRecorder(connection).record_unapplied(*newest)

    lines, went_well = diagnosed()

    assert not went_well
    assert "annotation" in of("Migrations", lines)[0]


def test_replies_before_they_are_on_disk_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"postgresql": "off", "sqlite": "1"}[connection.vendor]
    asked = diagnosis._one
    monkeypatch.setattr(
        diagnosis, "_one", lambda what: state if "synchronous" in what else asked(what)
    )

    assert of("Durability", diagnosed()[0])[0].startswith("ERROR")


def test_clocks_that_differ_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    hour_ago = diagnosis.timezone.now() - diagnosis.timedelta(hours=1)
    monkeypatch.setattr(diagnosis.clock, "now", lambda: hour_ago)

    assert of("Clocks", diagnosed()[0])[0].startswith("WARNING")


def test_little_memory_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "memory", lambda: Room(total=2**30, free=2**20))

    assert of("Memory", diagnosed()[0])[0].startswith("WARNING")


def test_no_worker_is_a_warning() -> None:
    signs_of_life.Worker.objects.all().delete()

    lines, went_well = diagnosed()

    assert went_well
    assert of("Workers", lines)[0].startswith("WARNING")


def test_what_django_finds_amiss_is_told_in_its_words(settings: Any) -> None:
    settings.ADDRESS = type(settings.ADDRESS).parse("https://pawsmith.example")
    settings.ALLOWED_HOSTS = ["pawsmith.example"]

    lines, _ = diagnosed()

    assert any("security.W" in line for line in of("Settings", lines))
    assert "Strict-Transport-Security" in of("Pages", lines)[0]
