"""The programs of Postgres: which are taken, and what they are told."""

import subprocess

import pytest

from operations.backups import BackupError, databases, postgres
from operations.backups.postgres import PostgresDatabase

NAMED = {
    "ENGINE": "django.db.backends.postgresql",
    "NAME": "pawsmith",
    "HOST": "db.example",
    "PORT": "",
    "USER": "ada",
    "PASSWORD": "hunter2",
    "OPTIONS": {"sslmode": "require", "prepare_threshold": 2, "options": "-c a=b"},
}


@pytest.fixture
def folder(tmp_path, settings):
    settings.PG_BIN = str(tmp_path)
    return tmp_path


def program(folder, name, *, version):
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{name} (PostgreSQL) {version}'\n")
    file.chmod(0o755)
    return str(file)


def test_only_what_libpq_knows_is_taken_from_the_settings():
    assert PostgresDatabase.of(NAMED).parameters == {
        "dbname": "pawsmith",
        "host": "db.example",
        "user": "ada",
        "password": "hunter2",
        "sslmode": "require",
        "options": "-c a=b",
    }


def test_no_password_stands_in_a_command_line(monkeypatch):
    ran = []

    def run(command, *, env, **_options):
        ran.append((command, env))
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", run)
    PostgresDatabase.of(NAMED)._run(["pg_dump", "--file=x"])
    [(command, environment)] = ran
    assert not [word for word in command if "hunter2" in word]
    assert environment["PGPASSWORD"] == "hunter2"
    assert environment["PGSSLMODE"] == "require"
    assert environment["PGDATABASE"] == "pawsmith"
    assert "PATH" in environment


def test_what_a_program_says_when_it_fails_is_passed_on():
    with pytest.raises(BackupError, match="sh failed: no space"):
        PostgresDatabase.of(NAMED)._run(["/bin/sh", "-c", "echo no space >&2; exit 1"])


def test_without_its_programs_the_advice_is_to_install_them(folder):
    with pytest.raises(BackupError, match="client programs of PostgreSQL 17 or newer"):
        postgres._program("pg_dump", at_least=17)


@pytest.mark.parametrize("version", ["17.2", "18.4 (Debian 18.4-1)", "19beta1"])
def test_a_program_as_new_as_the_server_or_newer_is_taken(folder, version):
    file = program(folder, "pg_dump", version=version)
    assert postgres._program("pg_dump", at_least=17) == file


def test_a_program_older_than_the_server_is_refused(folder):
    program(folder, "pg_dump", version="15.14")
    with pytest.raises(BackupError, match="is of PostgreSQL 15, and the server of 17"):
        postgres._program("pg_dump", at_least=17)


def test_a_server_that_does_not_answer_is_said_so(tmp_path):
    nowhere = databases.at(f"postgres:///none?host={tmp_path}")
    with pytest.raises(BackupError, match="Postgres: "):
        nowhere.census()


def test_a_database_is_named_by_its_url():
    assert databases.at("postgres://ada:pw@db.example/study").engine == "postgresql"
    assert databases.at("sqlite:////somewhere/pawsmith.sqlite3").engine == "sqlite"
    with pytest.raises(BackupError, match="no URL of a database"):
        databases.at("nothing")
