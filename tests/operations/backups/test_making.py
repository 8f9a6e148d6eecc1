"""A backup appears whole or not at all, takes space once, and is restored as it was or refused."""

import json
import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import StringIO
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from operations import backups
from operations.backups import BackupError, databases, files, folders, making
from operations.backups.sqlite import SqliteDatabase

README, ARCHIVE = "study/1.0/README.md", "study/.archives/1.0.tar.gz"
FIRST = datetime(2026, 5, 4, 3, tzinfo=UTC)


def execute(path, *statements):
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
def database(tmp_path, monkeypatch):
    """A small one in place of the installation's."""
    path = tmp_path / "live.sqlite3"
    execute(path, "PRAGMA journal_mode = WAL")
    for table in ("django_migrations", "one", "other"):
        execute(path, f"CREATE TABLE {table} (id integer PRIMARY KEY, app, name)")
    execute(path, "INSERT INTO django_migrations VALUES (1, 'accounts', '0001_initial')")
    monkeypatch.setattr(databases, "ours", lambda: SqliteDatabase(path))
    return path


@pytest.fixture
def source(tmp_path, settings):
    """The files of a release, its archive, and one that is being written."""
    settings.RELEASES_DIR = tmp_path / "releases"
    for path in (README, ARCHIVE, "study/.0c0f7e05/1/2.0/README.md"):
        (tmp_path / "releases" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "releases" / path).write_text(f"This is {path}.")
    return tmp_path / "releases"


@pytest.fixture
def folder(tmp_path, source, database, monkeypatch, settings):
    """Where backups go; the clock goes on by a day each time somebody looks."""
    settings.BACKUP_DIR = str(tmp_path / "backups")
    moments = (FIRST + timedelta(days=number) for number in range(100))
    monkeypatch.setattr(making.timezone, "now", lambda: next(moments))
    return tmp_path / "backups"


def names(folder):
    return [backup.folder.name for backup in backups.all_in(folder)]


def test_a_backup_holds_the_rows_the_files_and_a_manifest_for_its_owner_alone(folder, source):
    backup = backups.make(folder, kept=3)
    manifest = backup.manifest()
    assert manifest.made_at == backup.made_at == FIRST
    assert (manifest.engine, manifest.census.migrations) == ("sqlite", ("accounts.0001_initial",))
    tables = {name: table.rows for name, table in manifest.census.tables.items()}
    assert tables == {"django_migrations": 1, "one": 0, "other": 0}
    assert manifest.database == files.described(backup.database("sqlite"))
    assert list(manifest.releases) == [ARCHIVE, README]
    for path, stored in manifest.releases.items():
        assert (backup.releases / path).read_text() == f"This is {path}."
        assert stored == files.described(source / path)
    parts = ["database.sqlite3", "manifest.json", "releases"]
    assert sorted(path.name for path in backup.folder.iterdir()) == parts
    assert {place.stat().st_mode & 0o777 for place in (folder, backup.folder)} == {0o700}


def test_what_the_last_backup_holds_takes_no_space_again(folder, source):
    one, other = backups.make(folder, kept=3), backups.make(folder, kept=3)
    assert (one.releases / README).samefile(other.releases / README)
    (source / README).write_text("Another.")
    os.utime(source / README, (1, 1))
    (other.releases / ARCHIVE).unlink()
    changed = backups.make(folder, kept=1)
    assert (changed.releases / README).read_text() == "Another."
    assert (changed.releases / ARCHIVE).read_text() == f"This is {ARCHIVE}."
    assert names(folder) == ["2026-05-06T030000Z"]  # the older ones are gone


def test_a_backup_that_fails_leaves_nothing_and_the_others_stay(folder, database, monkeypatch):
    left = folder / making.UNFINISHED / "database.sqlite3"
    left.parent.mkdir(parents=True)
    left.write_text("half")  # of one that was killed
    backups.make(folder, kept=1)
    with monkeypatch.context() as patch:
        patch.setattr(files, "flush_folders", Mock(side_effect=OSError("No space left")))
        with pytest.raises(BackupError, match="No space left"):
            backups.make(folder, kept=1)
    with making._alone(folder), pytest.raises(BackupError, match="is being made in"):
        backups.make(folder, kept=1)
    monkeypatch.setattr(making.timezone, "now", lambda: FIRST)
    with pytest.raises(BackupError, match="in the same second"):
        backups.make(folder, kept=2)
    assert (names(folder), left.parent.exists()) == (["2026-05-04T030000Z"], False)
    database.unlink()
    with pytest.raises(BackupError, match="There is no database"):
        SqliteDatabase(database).dump(folder / "copy")


def test_a_copy_is_one_file_of_one_moment_while_others_write(folder, database):
    with closing(sqlite3.connect(database)) as writer:
        writer.execute("INSERT INTO one (name) VALUES ('a')")
        during = SqliteDatabase(database).dump(folder.parent / "copy-1")
        writer.execute("INSERT INTO other (name) VALUES ('a')")
        writer.commit()
    after = SqliteDatabase(database).dump(folder.parent / "copy-2")
    rows = [[each.tables[name].rows for name in ("one", "other")] for each in (during, after)]
    assert rows == [[0, 0], [1, 1]]
    assert {path.name for path in folder.parent.glob("copy*")} == {"copy-1", "copy-2"}


def test_any_change_changes_the_digest_of_its_table(database):
    before = SqliteDatabase(database).census()
    for change in [
        *("INSERT INTO one (id, name) VALUES (2, 'b')", "UPDATE one SET name = 'a'"),
        *("UPDATE one SET name = NULL", "UPDATE one SET id = id + 2"),
        *("UPDATE one SET name = X'61'", "ALTER TABLE one ADD COLUMN more", "DROP TABLE one"),
    ]:
        execute(database, change)
        after = SqliteDatabase(database).census()
        assert (before.differing(after), before.digest == after.digest) == (["one"], False), change
        before = after


def drill():
    said = StringIO()
    call_command("restore_drill", stdout=said)
    return said.getvalue()


def test_what_is_damaged_is_refused_by_its_name(folder, settings):
    with pytest.raises(CommandError, match="There is no backup"):
        drill()
    call_command("backup", stdout=(said := StringIO()))
    backup = backups.newest(folder)
    assert said.getvalue().endswith(f"The backup is in {backup.folder}\n")
    assert drill().endswith("Every row is what it was.\n")
    for file in (backup.releases / README, backup.database("sqlite")):
        content = file.read_bytes()
        for spoilt in (bytes([content[0] ^ 1]) + content[1:], content[:-1]):
            file.write_bytes(spoilt)
            with pytest.raises(CommandError, match=f"is damaged: .*{file.name}"):
                drill()
        file.write_bytes(content)
    manifest = backup.folder / folders.MANIFEST
    whole = json.loads(manifest.read_text())
    other = whole["census"] | {"tables": {"one": {"rows": 1, "digest": "aa"}}}
    for change, why in [
        ({"format": "pawsmith-backup/2"}, "its format is"),
        *(({each: None}, "is damaged") for each in ("made_at", "census", "database")),
        ({"census": other}, "its digest is not that of its tables"),
    ]:
        manifest.write_text(json.dumps(whole | change))
        with pytest.raises(CommandError, match=why):
            drill()
    manifest.unlink()
    with pytest.raises(CommandError, match="is no backup"):
        drill()
    settings.BACKUP_DIR = ""
    for arguments, why in [([], "Name a folder"), (["--keep", "0"], "argument --keep")]:
        with pytest.raises(CommandError, match=why):
            call_command("backup", *arguments)


def test_a_backup_that_does_not_fit_is_refused_and_nothing_is_overwritten(folder, tmp_path):
    backup, empty = backups.make(folder, kept=1), SqliteDatabase(tmp_path / "empty.sqlite3")
    manifest, database = backup.manifest(), backup.database("sqlite")
    there, file = tmp_path / "there", backup.folder / folders.MANIFEST

    def refused(why):
        with pytest.raises(BackupError, match=why):
            backups.restore(backup, into=empty, releases=there)
        assert empty.is_empty()

    (there / README).parent.mkdir(parents=True)
    (there / README).write_text("Something else.")
    refused(f"are there and differ: {README}")
    assert (there / README).read_text() == "Something else."
    (there / README).unlink()
    later = replace(manifest.census, migrations=("annotation.9999_later",))
    replace(manifest, version="9.9", census=later).write(file)
    refused(r"made by version 9\.9, .*: annotation\.9999_later")
    database.rename(backup.database("postgresql"))
    replace(manifest, engine="postgresql").write(file)
    refused("is one of postgresql, the database sqlite")
    # Whole, but not the database that the manifest is about.
    backup.database("postgresql").rename(database)
    execute(database, "UPDATE django_migrations SET name = 'other'")
    replace(manifest, database=files.described(database)).write(file)
    with pytest.raises(CommandError, match="not what they were: django_migrations"):
        drill()
