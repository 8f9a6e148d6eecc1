"""A backup appears whole or not at all, beside the older ones that are to stay."""

import errno
import multiprocessing
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from threading import Event, Thread

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from operations import backups
from operations.backups import BackupError, databases, files, folders, making
from operations.backups.sqlite import SqliteDatabase


@pytest.fixture
def database(tmp_path, monkeypatch):
    """A small one in place of the installation's."""
    path = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app, name)")
        connection.execute("INSERT INTO django_migrations VALUES (1, 'accounts', '0001_initial')")
        for table in ("one", "other"):
            connection.execute(f"CREATE TABLE {table} (id integer PRIMARY KEY, value)")
    monkeypatch.setattr(databases, "ours", lambda: SqliteDatabase(path))
    return path


@pytest.fixture
def folder(tmp_path, settings, database):
    settings.RELEASES_DIR = tmp_path / "releases"
    (tmp_path / "releases").mkdir()
    (tmp_path / "releases" / "README.md").write_text("A release.")
    return tmp_path / "backups"


@pytest.fixture
def days(monkeypatch):
    """A clock that goes on by a day each time somebody looks."""
    moments = (datetime(2026, 5, 4, 3, tzinfo=UTC) + timedelta(days=n) for n in range(100))
    monkeypatch.setattr(making.timezone, "now", lambda: next(moments))


def names(folder: Path) -> list[str]:
    return [backup.folder.name for backup in backups.all_in(folder)]


def test_it_holds_the_rows_the_files_and_a_manifest(folder, days):
    backup = backups.make(folder, kept=3)
    manifest = backup.manifest()
    assert manifest.made_at == backup.made_at == datetime(2026, 5, 4, 3, tzinfo=UTC)
    assert manifest.engine == "sqlite"
    assert manifest.census.migrations == ("accounts.0001_initial",)
    assert {name: table.rows for name, table in manifest.census.tables.items()} == {
        "django_migrations": 1,
        "one": 0,
        "other": 0,
    }
    assert manifest.database == files.described(backup.database("sqlite"))
    assert (backup.releases / "README.md").read_text() == "A release."
    assert sorted(path.name for path in backup.folder.iterdir()) == [
        "database.sqlite3",
        "manifest.json",
        "releases",
    ]


def test_nobody_else_may_read_it(folder):
    backup = backups.make(folder, kept=3)
    for place in (folder, backup.folder):
        assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_so_many_stay_and_the_oldest_go(folder, days):
    for _ in range(4):
        backups.make(folder, kept=2)
    assert names(folder) == ["2026-05-06T030000Z", "2026-05-07T030000Z"]
    assert not (folder / making.UNFINISHED).exists()


def test_what_a_release_has_written_takes_space_once(folder, days):
    one, other = backups.make(folder, kept=2), backups.make(folder, kept=2)
    assert (one.releases / "README.md").samefile(other.releases / "README.md")
    backups.make(folder, kept=1)
    [left] = backups.all_in(folder)
    assert (left.releases / "README.md").read_text() == "A release."


def test_one_that_fails_leaves_nothing_and_the_others_stay(folder, days, monkeypatch):
    backups.make(folder, kept=1)

    def full(_path):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(files, "flush_folders", full)
    with pytest.raises(BackupError, match="No space left on device"):
        backups.make(folder, kept=1)
    assert names(folder) == ["2026-05-04T030000Z"]
    assert not (folder / making.UNFINISHED).exists()


def test_what_one_that_was_killed_has_left_is_gone_with_the_next(folder):
    left = folder / making.UNFINISHED / "database.sqlite3"
    left.parent.mkdir(parents=True)
    left.write_text("half")
    backups.make(folder, kept=1)
    assert not left.exists()


def test_two_in_the_same_second_are_one(folder, monkeypatch):
    moment = datetime(2026, 5, 4, 3, tzinfo=UTC)
    monkeypatch.setattr(making.timezone, "now", lambda: moment)
    backups.make(folder, kept=2)
    with pytest.raises(BackupError, match="in the same second"):
        backups.make(folder, kept=2)


def test_a_second_process_is_told_that_one_is_being_made(folder):
    fork = multiprocessing.get_context("fork")
    begun, done = fork.Event(), fork.Event()
    folder.mkdir()

    def hold():
        with making._alone(folder):
            begun.set()
            done.wait(60)

    other = fork.Process(target=hold)
    other.start()
    assert begun.wait(60)
    with pytest.raises(BackupError, match="is being made"):
        backups.make(folder, kept=1)
    done.set()
    other.join()
    assert backups.make(folder, kept=1)


def test_a_copy_is_of_one_moment_while_others_write(folder, database):
    """A row goes into both tables in each transaction: no copy holds one without the other."""
    stop, written = Event(), Event()

    def write():
        with closing(sqlite3.connect(database, timeout=60)) as connection:
            while not stop.is_set():
                with connection:
                    for table in ("one", "other"):
                        connection.execute(f"INSERT INTO {table} (value) VALUES (randomblob(500))")
                written.set()

    writer = Thread(target=write)
    writer.start()
    try:
        assert written.wait(60)
        counts = []
        for number in range(5):
            tables = SqliteDatabase(database).dump(folder.parent / f"copy-{number}").tables
            assert tables["one"].rows == tables["other"].rows
            counts.append(tables["one"].rows)
    finally:
        stop.set()
        writer.join()
    assert counts[0] < counts[-1]


def test_a_copy_is_one_file(folder, database):
    SqliteDatabase(database).dump(folder.parent / "copy")
    assert [path.name for path in folder.parent.glob("copy*")] == ["copy"]


def test_a_database_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(BackupError, match="There is no database"):
        SqliteDatabase(tmp_path / "none").dump(tmp_path / "copy")


@pytest.mark.parametrize(
    "change",
    [
        "INSERT INTO one VALUES (2, 'b')",
        "UPDATE one SET value = 'b'",
        "UPDATE one SET value = NULL",
        "UPDATE one SET id = 3",
        "DELETE FROM one",
        "UPDATE one SET value = X'61'",
        "ALTER TABLE one ADD COLUMN more",
    ],
)
def test_any_change_changes_the_digest_of_its_table(database, change):
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("INSERT INTO one VALUES (1, 'a')")
    before = SqliteDatabase(database).census()
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(change)
    assert before.differing(SqliteDatabase(database).census()) == ["one"]


def test_the_command_tells_where_the_backup_is(folder, settings):
    settings.BACKUP_DIR = str(folder)
    said = StringIO()
    call_command("backup", stdout=said)
    assert said.getvalue().endswith(f"The backup is in {folder / names(folder)[0]}\n")


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [([], "Name a folder with --to"), (["--keep", "0"], "argument --keep")],
)
def test_the_command_wants_a_folder_and_keeps_the_new_one(settings, arguments, refusal):
    settings.BACKUP_DIR = ""
    with pytest.raises(CommandError, match=refusal):
        call_command("backup", *arguments)


def test_a_drill_without_any_backup_is_refused(settings, tmp_path):
    settings.BACKUP_DIR = str(tmp_path / "none")
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("restore_drill")


def test_a_folder_is_named_for_its_time_in_utc():
    moment = datetime.fromisoformat("2026-05-04T05:06:07+02:00")
    assert folders.name_at(moment) == "2026-05-04T030607Z"
