"""The programs of Postgres: which are taken, and what they are told."""

import subprocess
from unittest.mock import Mock

import pytest

from operations.backups import BackupError, databases, postgres

URL = "postgres://ada:hunter2@db.example/pawsmith?sslmode=require&prepare_threshold=2"


def test_programs_are_told_what_libpq_knows_and_no_password_in_a_command_line(monkeypatch):
    run = Mock(return_value=subprocess.CompletedProcess([], 0))
    monkeypatch.setattr(subprocess, "run", run)
    databases.at(URL)._run(["pg_dump", "--file=x"])
    (command,), options = run.call_args
    assert command == ["pg_dump", "--file=x"]
    given = {"PGPASSWORD": "hunter2", "PGSSLMODE": "require", "PGDATABASE": "pawsmith"}
    given |= {"PGHOST": "db.example", "PGUSER": "ada"}
    told = {name: value for name, value in options["env"].items() if name.startswith("PG")}
    assert told == given
    assert "PATH" in options["env"]


def test_a_program_as_new_as_the_server_or_newer_is_taken(tmp_path, settings):
    settings.PG_BIN, file = str(tmp_path), tmp_path / "pg_dump"
    with pytest.raises(BackupError, match="client programs of PostgreSQL 17 or newer"):
        postgres._program("pg_dump", at_least=17)
    file.touch(0o755)
    file.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 17.4 (Debian 18.4-1)'\n")
    assert postgres._program("pg_dump", at_least=17) == str(file)
    file.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 16.14'\n")
    with pytest.raises(BackupError, match="is of PostgreSQL 16, and the server of 17"):
        postgres._program("pg_dump", at_least=17)


def test_what_fails_says_why(tmp_path):
    with pytest.raises(BackupError, match="sh failed: no space"):
        databases.at(URL)._run(["/bin/sh", "-c", "echo no space >&2; exit 1"])
    with pytest.raises(BackupError, match="Postgres: "):
        databases.at(f"postgres:///none?host={tmp_path}").census()
    with pytest.raises(BackupError, match="no URL of a database"):
        databases.at("nothing")
    assert databases.at("sqlite:////somewhere/pawsmith.sqlite3").engine == "sqlite"
