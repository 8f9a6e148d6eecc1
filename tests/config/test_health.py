"""Probes: whether a process is alive, and whether it can serve requests."""

import errno
import json

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpResponse
from django.urls import path, reverse

from accounts.models import User
from operations import probes, storage
from tests.config.installation import python

# As a container asks itself: by its own address, over HTTP.
ASK = """
import django, json
django.setup()
from django.conf import settings
from django.test import Client
storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.STORAGES["staticfiles"] = {"BACKEND": storage}  # needs no `collectstatic`
ask = Client(headers={"host": "127.0.0.1:8000"}).get
replies = {path: ask(path) for path in ("/livez", "/readyz", "/accounts/login/")}
print(json.dumps({path: reply.status_code for path, reply in replies.items()}))
"""


@pytest.fixture(autouse=True)
def _forget_that_migrations_are_applied():
    probes._ask_for_migrations.cache_clear()


def test_a_process_is_alive_even_without_its_database(client):
    reply = client.get("/livez")  # this test has no access to the database
    assert (reply.status_code, reply.json()) == (200, {"status": "alive"})
    assert reply.headers["Cache-Control"] == "no-store"


def test_it_is_ready_with_a_migrated_database_and_a_data_folder(db, client):
    reply = client.get("/readyz")
    assert reply.status_code == 200
    assert reply.json() == {"status": "ready", "database": "ok", "data": "ok"}


def test_what_keeps_it_from_being_ready_is_named(db, client, settings, tmp_path):
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"
    reply = client.get("/readyz")  # pages work without a broker
    assert (reply.status_code, reply.json()["broker"]) == (200, "does not answer")
    settings.DATA_DIR = tmp_path / "missing"
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["data"]) == (503, "cannot be written")
    probes._ask_for_migrations.cache_clear()
    MigrationRecorder(connection).migration_qs.filter(app="annotation").delete()
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["database"]) == (503, "migrations are missing")


@pytest.mark.both_engines
def test_a_database_that_answers_and_cannot_write_is_not_ready(db, client, monkeypatch, tmp_path):
    assert storage.check() == []
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL transaction_read_only = on")
    else:
        file = tmp_path / "db.sqlite3"
        file.touch()
        monkeypatch.setitem(connection.settings_dict, "NAME", str(file))
        monkeypatch.setattr(storage.os, "access", lambda *_: False)
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["database"]) == (503, "cannot be written")
    [error] = storage.check()
    assert "read-only" in error.msg


@pytest.mark.postgres
def test_a_probe_of_postgres_writes_to_its_disk(db):
    with connection.cursor() as cursor:
        statement = "EXPLAIN (ANALYZE, BUFFERS, FORMAT TEXT) " + storage.SPILL[1]
        cursor.execute(storage.SPILL[0])
        cursor.execute(statement)
        assert any("temp read" in line or "written=" in line for (line,) in cursor.fetchall())


def test_a_full_disk_is_not_ready(db, client, monkeypatch):
    def full(*_arguments, **_options):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage.tempfile, "TemporaryFile", full)
    reply = client.get("/readyz")
    assert (reply.status_code, reply.json()["data"]) == (503, "cannot be written")
    assert "No space left" in storage.check()[-1].msg


def test_containers_ask_by_their_own_address_without_tls(new_sqlite_database):
    asked = python("-c", ASK, DATABASE_URL=new_sqlite_database)
    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout) == {"/livez": 200, "/readyz": 200, "/accounts/login/": 400}


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (OperationalError("server closed"), 503, "The database isn’t responding"),
        (InterfaceError("server closed"), 503, "The database isn’t responding"),
        (ValueError("server closed"), 500, "Something went wrong on our side"),
    ],
)
def test_a_page_that_breaks_says_whether_to_try_again(db, client, monkeypatch, error, status, text):
    def broken(*_):
        raise error

    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.people.views.home.render", broken)
    reply = client.get(reverse("home"))
    assert reply.status_code == status
    assert reply.headers.get("Retry-After") == ("5" if status == 503 else None)
    assert text in reply.text
    assert "server closed" not in reply.text


def test_rest_asks_to_try_again_while_the_database_is_away(db, client, monkeypatch):
    def away(*_, **__):
        raise OperationalError("gone")

    client.raise_request_exception = False
    client.force_login(User.objects.create_superuser("ada"))
    monkeypatch.setattr("rest_framework.views.APIView.check_permissions", away)
    reply = client.get("/api/projects/")
    assert reply.status_code == 503
    assert reply.json()["errors"][0]["code"] == "unavailable"


def remember(request):
    request.session["seen"] = True
    return HttpResponse()


urlpatterns = [path("remember/", remember)]
handler400 = "operations.views.bad_request"


@pytest.mark.urls(__name__)
def test_a_session_that_an_outage_keeps_from_being_saved_is_an_outage(client, db, monkeypatch):
    """Django calls it a bad request, after whatever the view has stored."""
    client.force_login(User.objects.create(username="ada"))

    def fail(*_arguments, **_options):
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(client.session.model, "save", fail)
    reply = client.get("/remember/")
    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "5")
