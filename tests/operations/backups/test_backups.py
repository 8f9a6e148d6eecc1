"""A backup a night appears whole or not at all, and is restored as it was or refused."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db.utils import ConnectionHandler
from django.utils import timezone
from environ import Env

from config import celery_app
from operations import backups, dumps, tasks
from operations.dumps import BackupError
from operations.management.commands import worker

pytestmark = pytest.mark.django_db
README, ARCHIVE = "study/1.0/README.md", "study/.archives/1.0.tar.gz"
DUMP = dumps.FILES["sqlite"]
FIRST = datetime(2026, 5, 4, 3, tzinfo=UTC)
URL = "postgres://ada:hunter2@db.example/pawsmith?sslmode=require&prepare_threshold=2"


@pytest.fixture
def use(monkeypatch):
    """Makes the database of a URL the one that is installed, for backups."""

    def use(url):
        entry = {"OPTIONS": {}, **Env.db_url_config(url)}
        made = ConnectionHandler({"default": entry})["default"]
        for module in (backups, dumps):
            monkeypatch.setattr(module, "connection", made)
        opened.append(made)

    opened = []
    yield use
    for each in opened:
        each.close()


@pytest.fixture
def database(tmp_path, use):
    path = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for name in ("django_migrations", "one", "other"):
            connection.execute(f"CREATE TABLE {name} (id integer PRIMARY KEY, name)")
    use(f"sqlite:///{path}")
    return path


@pytest.fixture
def folder(tmp_path, database, monkeypatch, settings):
    """Where backups of two released files go, by a clock that goes on by a day at each look."""
    settings.RELEASES_DIR, settings.BACKUP_DIR = tmp_path / "releases", str(tmp_path / "backups")
    for path in (README, ARCHIVE, "study/.0c0f7e05/1/2.0/README.md"):  # the last is not finished
        (tmp_path / "releases" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "releases" / path).write_text(f"This is {path}.")
    moments = (FIRST + timedelta(days=number) for number in range(100))
    monkeypatch.setattr(backups.timezone, "now", lambda: next(moments))
    return tmp_path / "backups"


def test_a_backup_holds_the_rows_the_files_and_a_manifest_for_its_owner_alone(folder):
    backup, source = backups.make(folder, kept=3), folder.parent / "releases"
    manifest = backup.manifest
    assert backup.made_at == FIRST
    assert manifest.engine == "sqlite"
    assert "accounts.0001_initial" in manifest.migrations
    sources = {f"releases/{path}": source / path for path in (ARCHIVE, README)}
    sources[DUMP] = backup.folder / DUMP
    digests = {path: sha256(file.read_bytes()).hexdigest() for path, file in sources.items()}
    assert manifest.files == digests
    for path in (ARCHIVE, README):
        assert (backup.folder / "releases" / path).read_text() == f"This is {path}."
    parts = sorted(path.name for path in backup.folder.iterdir())
    assert parts == ["database.sqlite3", "manifest.json", "releases"]
    assert {place.stat().st_mode & 0o777 for place in (folder, backup.folder)} == {0o700}


def test_what_the_last_backup_holds_takes_no_space_again(folder, settings):
    one, other = backups.make(folder, kept=3), backups.make(folder, kept=3)
    assert (one.folder / "releases" / README).samefile(other.folder / "releases" / README)
    changed = settings.RELEASES_DIR / README
    changed.write_text("Another.")
    os.utime(changed, (1, 1))
    (other.folder / "releases" / ARCHIVE).unlink()
    backups.make(folder, kept=1)
    next(iter(backups.all_in(folder))).folder.joinpath(backups.MANIFEST).write_text("{}")
    backups.make(folder, kept=1)
    [left] = backups.all_in(folder)  # the older ones are gone
    assert left.folder.name == "2026-05-07T030000Z"
    texts = [(left.folder / "releases" / path).read_text() for path in (README, ARCHIVE)]
    assert texts == ["Another.", f"This is {ARCHIVE}."]


def test_a_backup_that_fails_leaves_nothing_and_the_others_stay(folder, use, monkeypatch):
    left = folder / backups.UNFINISHED / "database.sqlite3"
    left.parent.mkdir(parents=True)
    left.write_text("half")  # of one that was killed
    backups.make(folder, kept=1)
    with monkeypatch.context() as patch:
        patch.setattr(backups.os, "sync", Mock(side_effect=OSError("No space left")))
        with pytest.raises(BackupError, match="No space left"):
            backups.make(folder, kept=1)
    with backups._lock_folder(folder), pytest.raises(BackupError, match="is being made in"):
        backups.make(folder, kept=1)
    monkeypatch.setattr(backups.timezone, "now", lambda: FIRST)
    with pytest.raises(BackupError, match="could not be written"):  # in the same second
        backups.make(folder, kept=2)
    assert {path.name for path in folder.iterdir()} == {"2026-05-04T030000Z"}
    use(f"sqlite:///{folder.parent}/empty.sqlite3")
    with pytest.raises(BackupError, match="nothing in the database"):
        backups.make(folder, kept=2)


def test_a_copy_is_one_file_of_one_moment_while_others_write(tmp_path, database):
    copies = [tmp_path / "copy-1", tmp_path / "copy-2"]
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("INSERT INTO one (name) VALUES ('a')")
        dumps.write(copies[0])
        writer.execute("INSERT INTO other (name) VALUES ('a')")
        writer.commit()
    dumps.write(copies[1])
    for copy, rows in zip(copies, (0, 1), strict=True):
        with closing(sqlite3.connect(copy)) as connection:
            for name in ("one", "other"):
                [found] = connection.execute(f"SELECT count(*) FROM {name}").fetchone()
                assert found == rows
    assert {*tmp_path.glob("copy*")} == {*copies}


@pytest.fixture
def empty(use, tmp_path, settings):
    """An empty installation, into which a backup is restored."""
    use(f"sqlite:///{tmp_path}/empty.sqlite3")
    settings.RELEASES_DIR = tmp_path / "there"


def refused(backup, why):
    with pytest.raises(CommandError, match=why):
        call_command("restore", backup.folder)
    assert backups.connection.introspection.table_names() == []


def test_what_is_damaged_is_refused_by_its_name(folder, settings, request):
    call_command("backup", stdout=(said := StringIO()))
    backup = backups.newest(folder)
    assert said.getvalue().endswith(f"The backup is in {backup.folder}\n")
    request.getfixturevalue("empty")
    for file in (backup.folder / "releases" / README, backup.folder / DUMP):
        content = file.read_bytes()
        for spoilt in (bytes([content[0] ^ 1]) + content[1:], content[:-1]):
            file.write_bytes(spoilt)
            refused(backup, f"is damaged: .*{file.name}")
        file.write_bytes(content)
    manifest = backup.folder / backups.MANIFEST
    whole = json.loads(manifest.read_text())
    for change, why in [
        ({"format": "pawsmith-backup/1"}, "its format is"),
        ({"more": None}, "is not a manifest"),
    ]:
        manifest.write_text(json.dumps(whole | change))
        refused(backup, why)
    manifest.unlink()
    refused(backup, "is not a manifest")
    settings.BACKUP_DIR = ""
    for arguments, why in [([], "Name a folder"), (["--keep", "0"], "argument --keep")]:
        with pytest.raises(CommandError, match=why):
            call_command("backup", *arguments)


def test_a_backup_that_does_not_fit_is_refused_and_nothing_is_overwritten(folder, request):
    backup = backups.make(folder, kept=1)
    request.getfixturevalue("empty")
    manifest, there = backup.manifest, folder.parent / "there"
    file = backup.folder / backups.MANIFEST
    (there / README).parent.mkdir(parents=True)
    (there / README).write_text("Something else.")
    refused(backup, f"exist and differ: releases/{README}")
    assert (there / README).read_text() == "Something else."
    (there / README).unlink()
    replace(manifest, version="9.9", migrations=["annotation.9999_later"]).write(file)
    refused(backup, r"made by version 9\.9, .*: annotation\.9999_later")
    replace(manifest, engine="postgresql").write(file)
    refused(backup, "is of postgresql, the database is sqlite")
    manifest.write(file)
    call_command("restore", backup.folder)
    assert (there / README).read_text() == f"This is {README}."
    with pytest.raises(CommandError, match="The database is not empty"):
        call_command("restore", backup.folder)


def test_postgres_programs_get_what_libpq_knows_and_no_password_in_a_command_line(
    use, monkeypatch, tmp_path
):
    run = Mock(return_value=subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(dumps.shutil, "which", lambda name, path: f"/{name}")
    use(URL)
    dumps.write(tmp_path / "x")
    (command,), options = run.call_args
    assert (command[0], "PATH" in options["env"]) == ("/pg_dump", True)
    assert {"user=ada", "host=db.example", "sslmode=require"} <= {*command[-1].split()}
    assert ("hunter2" in str(command), options["env"]["PGPASSWORD"]) == (False, "hunter2")


def test_what_fails_of_postgres_says_why(use, tmp_path, settings):
    use(URL)
    settings.PG_BIN, file = str(tmp_path), tmp_path / "pg_dump"
    with pytest.raises(BackupError, match="pg_dump was not found"):
        dumps.write(tmp_path / "x")
    file.touch(0o755)
    file.write_text("#!/bin/sh\necho no space >&2; exit 1\n")
    with pytest.raises(BackupError, match="pg_dump failed: no space"):
        dumps.write(tmp_path / "x")


def name_at(moment):
    return moment.astimezone(UTC).strftime(backups.TIME)


def at(day, hour, minute=0):
    return datetime(2026, 5, day, hour, minute, tzinfo=timezone.get_default_timezone())


def test_a_backup_is_due_once_it_has_been_three_o_clock_and_late_after_26_hours(folder, settings):
    for name in (".unfinished", "2026-05-04", "notes"):  # which are no backups
        (folder / name).mkdir(parents=True)
    assert (backups.is_due(at(4, 12)), backups.is_late(at(4, 12))) == (True, True)
    (folder / name_at(at(1, 3))).mkdir()
    for made, now, is_due, is_late in [
        (at(4, 3, 5), at(5, 2, 59), False, False),
        (at(4, 3, 5), at(5, 3, 0), True, False),
        (at(4, 12), at(5, 3, 30), True, False),
        (at(3, 3), at(4, 2), False, False),
        (at(3, 2), at(4, 2), True, False),
        (at(4, 3), at(5, 5), True, False),
        (at(4, 3), at(5, 5, 1), True, True),
    ]:
        (place := folder / name_at(made)).mkdir()
        assert backups.newest(folder).made_at == made
        assert (backups.is_due(now), backups.is_late(now)) == (is_due, is_late), (made, now)
        place.rmdir()
    settings.BACKUP_DIR = ""
    found = (backups.folder(), backups.is_due(at(4, 12)), backups.is_late(at(4, 12)))
    assert found == (None, False, False)


def test_workers_make_one_where_it_is_due_or_log_why_not(folder, monkeypatch, settings, caplog):
    (folder / name_at(at(4, 3))).mkdir(parents=True)
    monkeypatch.setattr(backups.timezone, "now", lambda: at(5, 12))
    monkeypatch.setattr(backups, "make", make := Mock(side_effect=BackupError("no space")))
    tasks.back_up()
    assert "no space The last one is more than 26 hours old." in caplog.text
    make.reset_mock()
    make.side_effect = lambda where, kept: (where / name_at(at(5, 12))).mkdir() or Mock()
    tasks.back_up()
    tasks.back_up()
    make.assert_called_once_with(folder, kept=settings.BACKUPS_KEPT)
    chores = dict(worker.CHORES)
    due = celery_app.conf.beat_schedule["backup"]
    assert (chores[backups.back_up_when_due], due["schedule"]) == (3600.0, 3600.0)
    assert due["task"] == tasks.back_up.name
